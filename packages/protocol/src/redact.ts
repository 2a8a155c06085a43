/** Hides secrets in text that leaves a process: log lines, reports, error messages, the output of connectors. */
export interface Redactor {
  /** Hides `secret` from now on. Ignores texts under four characters, because they would garble the output. */
  add(secret: string | undefined): void;
  /** Returns a text without the secrets, also where they are encoded for an address, a form, a header or JSON. */
  text(value: string): string;
  /** The length of the longest text that it hides. */
  readonly longest: number;
}

const MASK = '[redacted]';
const SHORTEST = 4;
/** Parts of an encoded text match by chance unless they are longer. */
const SHORTEST_PART = 8;
const SHORTEST_LINE = 16;
/**
 * The scheme is bounded: the time would otherwise grow with the square of the length of a word. A quote in the password is not one that
 * ends a text in JSON.
 */
const CREDENTIALS_IN_URL = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@"]*):((?:[^\s/@"]|"(?![\s,:\]}]))+)@/gi;
/** A backslash before a quote belongs to the quote: without it, a text in JSON would end there. */
const KEY_IN_HEADER =
  /(authorization["']?\s*[:=]\s*["']?)?\b(Api-Key|Bearer|Basic)\s+((?:\\[^\s"']|[^\s"',;\\])+)/gi;
/** Sentences say "bearer token" and "basic authentication". Keys have digits, signs, or capitals among other letters. */
const WORD = /^\(?[A-Za-z]?[a-z]{1,20}[).:!?]*$/;

export function createRedactor(secrets: readonly string[] = []): Redactor {
  let longestFirst: string[] = [];
  const add = (secret: string | undefined) => {
    if (secret === undefined || secret.length < SHORTEST) return;
    const forms = new Set([...longestFirst, secret]);
    for (const one of [secret, ...passwordsIn(secret), ...linesOf(secret)].map((each) =>
      each.toWellFormed(),
    )) {
      for (const form of encodedForms(one)) if (form.length >= SHORTEST) forms.add(form);
      for (const form of base64Parts(one)) if (form.length >= SHORTEST_PART) forms.add(form);
    }
    longestFirst = [...forms].sort((one, other) => other.length - one.length);
  };
  secrets.forEach(add);
  return {
    add,
    text: (value) =>
      longestFirst
        .reduce((out, form) => out.replaceAll(form, MASK), value)
        .replace(CREDENTIALS_IN_URL, `$1:${MASK}@`)
        .replace(KEY_IN_HEADER, (found: string, before: string | undefined, scheme: string, key: string) =>
          before === undefined && WORD.test(key) ? found : `${before ?? ''}${scheme} ${MASK}`,
        ),
    get longest() {
      return longestFirst[0]?.length ?? 0;
    },
  };
}

/** A message may show a secret as it was sent. */
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
