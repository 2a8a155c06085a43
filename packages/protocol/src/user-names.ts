/**
 * The user names that systems accept, by kind (D82): for the names that the server gives to new accounts, and for connectors that check
 * a name before they use it.
 */

export const USER_NAME_KINDS = ['active_directory', 'linux', 'postgresql', 'mariadb'] as const;
export type UserNameKind = (typeof USER_NAME_KINDS)[number];

interface UserNames {
  /** The name of the system in sentences. */
  system: string;
  /** The longest name, in characters or in bytes of UTF-8. */
  longest: number;
  in: 'characters' | 'bytes';
  /** The characters that no name contains. */
  forbidden: RegExp;
  /** Returns why a name that is short enough and has allowed characters only does not fit. */
  refusal: (name: string) => string | undefined;
}

/** Sentences with "must not", for names that a system reserves. */
const reserved = (name: string) => `must not be ${name}`;

const KINDS: Record<UserNameKind, UserNames> = {
  active_directory: {
    system: 'Active Directory',
    longest: 20,
    in: 'characters',
    forbidden: /["/\\[\]:;|=,+*?<>@\p{Cc}]/gu,
    refusal: (name) =>
      /^[. ]+$/.test(name)
        ? 'must not consist of dots and spaces only'
        : name.endsWith('.')
          ? 'must not end with a dot'
          : undefined,
  },
  linux: {
    system: 'Linux',
    longest: 32,
    in: 'characters',
    forbidden: /[^A-Za-z0-9_.-]/g,
    refusal: (name) =>
      /^[-.]/.test(name)
        ? 'must not begin with a hyphen or a dot'
        : /^\d+$/.test(name)
          ? 'must not consist of digits only'
          : undefined,
  },
  postgresql: {
    system: 'PostgreSQL',
    longest: 63,
    in: 'bytes',
    forbidden: /\0/g,
    refusal: (name) =>
      name.startsWith('pg_')
        ? 'must not begin with pg_'
        : ['public', 'none'].includes(name)
          ? reserved(name)
          : undefined,
  },
  mariadb: {
    system: 'MariaDB',
    longest: 32,
    in: 'characters',
    forbidden: /\0/g,
    refusal: (name) => (/^(public|none)$/i.test(name) ? reserved(name) : undefined),
  },
};

const lengthOf = (name: string, unit: UserNames['in']) =>
  unit === 'bytes' ? new TextEncoder().encode(name).length : [...name].length;

/** Returns why a system does not accept a user name: a sentence that says what to do. Undefined if it accepts the name. */
export function userNameRefusal(kind: UserNameKind, name: string): string | undefined {
  const { system, longest, in: unit, forbidden, refusal } = KINDS[kind];
  const says = (why: string) => `"${name}" cannot be a user name in ${system}: it ${why}`;
  if (name === '') return `A user name in ${system} must have at least one character`;
  if (lengthOf(name, unit) > longest) return says(`must have at most ${longest} ${unit}`);
  const wrong = name.match(forbidden)?.[0];
  if (wrong !== undefined) return says(`must not contain ${JSON.stringify(wrong)}`);
  const why = refusal(name);
  return why === undefined ? undefined : says(why);
}

/** Returns a name without the characters that a system does not accept, and without those that it does not accept at an end. */
export function withoutForbidden(kind: UserNameKind, name: string): string {
  const allowed = name.replace(KINDS[kind].forbidden, '');
  return kind === 'linux' ? allowed.replace(/^[-.]+/, '') : allowed;
}

/**
 * Returns as much of the beginning of a name as a system accepts together with `end`, followed by `end`. The name is not cut within a
 * character. Without a kind, there is no limit.
 */
export function cutUserName(kind: UserNameKind | null, name: string, end = ''): string {
  if (kind === null) return name + end;
  const { longest, in: unit } = KINDS[kind];
  const most = longest - lengthOf(end, unit);
  let kept = '';
  let length = 0;
  for (const character of name) {
    length += lengthOf(character, unit);
    if (length > most) break;
    kept += character;
  }
  // A dot at the end was allowed only in front of what was cut.
  if (kind === 'active_directory' && end === '') kept = kept.replace(/\.+$/, '');
  return kept + end;
}
