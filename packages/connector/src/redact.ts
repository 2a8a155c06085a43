/** Removes secrets from text that leaves the process: log lines, reports, error messages. */
export type Redactor = {
  /** Hides `secret` from now on. Ignores strings under four characters, because they would garble the output. */
  add(secret: string | undefined): void;
  text(value: string): string;
};

const mask = '[redacted]';
const credentialsInUrl = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):([^\s/@]+)@/gi;
const keyInHeader = /\b(Api-Key|Bearer|Basic)\s+[^\s"',;]+/gi;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    add(secret) {
      if (!secret || secret.length < 4) return;
      secrets.add(secret);
      const encoded = encodeURIComponent(secret);
      if (encoded !== secret) secrets.add(encoded);
      const password = passwordOf(secret);
      if (password && password.length >= 4) secrets.add(password);
    },
    text(value) {
      let out = value;
      for (const secret of [...secrets].sort((a, b) => b.length - a.length))
        out = out.replaceAll(secret, mask);
      return out.replace(credentialsInUrl, `$1:${mask}@`).replace(keyInHeader, `$1 ${mask}`);
    },
  };
}

/** Returns a connection string and the password in it: both are secret. */
function passwordOf(secret: string): string | undefined {
  if (!URL.canParse(secret)) return undefined;
  return decodeURIComponent(new URL(secret).password) || undefined;
}
