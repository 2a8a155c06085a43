const MASK = '[redacted]';
/** Shorter values would garble the text. */
const SHORTEST = 4;
/** Parts of an encoded text match by chance unless they are longer. */
const SHORTEST_PART = 8;
const SHORTEST_LINE = 16;
/** The scheme is bounded: the time would otherwise grow with the square of the length of a word. */
const CREDENTIALS_IN_URL = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@"]*):([^\s/@"]+)@/gi;

export interface Redactor {
  /** The length of the longest text that it hides. */
  longest: number;
  /** Hides the secrets in a text, also where they are encoded for an address, a form, a header or JSON. */
  redact(text: string): string;
}

export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  for (const secret of secrets.flatMap((one) => [one, ...passwordsIn(one), ...linesOf(one)])) {
    for (const form of encodedForms(secret)) if (form.length >= SHORTEST) forms.add(form);
    for (const form of base64Parts(secret)) if (form.length >= SHORTEST_PART) forms.add(form);
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return {
    longest: longestFirst[0]?.length ?? 0,
    redact: (text) =>
      longestFirst
        .reduce((out, form) => out.replaceAll(form, MASK), text)
        .replace(CREDENTIALS_IN_URL, `$1:${MASK}@`),
  };
}

function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inAddress = encodeURIComponent(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...[inAddress, inForm].flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** Returns the characters that a secret has in any longer text in base64, such as the header of a user and password. */
function base64Parts(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((encoding) => padded.toString(encoding).slice(from, to));
  });
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

/** A log may show a private key line by line. */
const linesOf = (secret: string): string[] =>
  secret.includes('\n') ? secret.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE) : [];
