/** Removes secrets from text that leaves the process: log lines, reports, error messages. */
export type Redactor = {
  /** Hides `secret` from now on. Ignores strings under four characters, because they would garble the output. */
  add(secret: string | undefined): void;
  text(value: string): string;
};

const mask = '[redacted]';
/** The scheme is bounded: the time would otherwise grow with the square of the length of a word. */
const credentialsInUrl = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]*):([^\s/@]+)@/gi;
const keyInHeader = /(authorization["']?\s*[:=]\s*["']?)?\b(Api-Key|Bearer|Basic)\s+([^\s"',;]+)/gi;
/** Sentences say "bearer token" and "basic authentication". Keys have digits, signs, or capitals among other letters. */
const word = /^\(?[A-Za-z]?[a-z]{1,20}[).:!?]*$/;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    add(secret) {
      if (!secret || secret.length < 4) return;
      secrets.add(secret);
      for (const form of [...encodedForms(secret), ...passwordsIn(secret)])
        if (form.length >= 4) secrets.add(form);
    },
    text(value) {
      let out = value;
      for (const secret of [...secrets].sort((a, b) => b.length - a.length))
        out = out.replaceAll(secret, mask);
      return out
        .replace(credentialsInUrl, `$1:${mask}@`)
        .replace(keyInHeader, (found: string, before: string | undefined, scheme: string, key: string) =>
          before === undefined && word.test(key) ? found : `${before ?? ''}${scheme} ${mask}`,
        );
    },
  };
}

/** A message may show a secret as it was sent: in an address, a form, a header or JSON. */
function encodedForms(secret: string): string[] {
  const text = secret.toWellFormed();
  return [
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    Buffer.from(text).toString('base64'),
    JSON.stringify(text).slice(1, -1),
  ];
}

/** A connection string is secret as a whole, and so is the password in it. */
function passwordsIn(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  const { password } = new URL(secret);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
