const MASK = '[redacted]';
/** Shorter values would garble the text. */
const SHORTEST = 4;
const CREDENTIALS_IN_URL = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*):([^\s/@"]+)@/gi;

/** Returns a function that hides the secrets in a text, also where they are encoded for an address or for JSON. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets.flatMap((one) => [one, ...passwordIn(one)])) {
    const inJson = JSON.stringify(secret).slice(1, -1);
    const encoded = [secret, encodeURIComponent(secret), inJson, Buffer.from(secret).toString('base64')];
    for (const form of encoded) if (form.length >= SHORTEST) forms.add(form);
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) =>
    longestFirst
      .reduce((out, form) => out.replaceAll(form, MASK), text)
      .replace(CREDENTIALS_IN_URL, `$1:${MASK}@`);
}

/** A connection string is secret as a whole, and so is the password in it. */
function passwordIn(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  try {
    return [decodeURIComponent(new URL(secret).password)];
  } catch {
    return [new URL(secret).password];
  }
}
