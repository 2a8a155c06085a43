import { asRead } from '#directory/people/as-read.ts';
import { toAscii } from '#kit/ascii.ts';
import {
  cutUserName,
  type UserNameKind,
  userNameRefusal,
  withoutForbidden,
} from '../../../../../protocol/src/user-names.ts';
import type { UserNameRule } from './rule.ts';
import { userNameTemplate } from './template.ts';

/** The part of a person that names are made of. Templates read all fields of PERSON_FIELDS. */
export interface NamedPerson {
  username: string;
  email: string;
  attributes: Record<string, unknown>;
}

/** The settings of an app for the user names of its accounts. */
export interface UserNameSettings {
  user_name: UserNameRule | null;
  user_name_kind: UserNameKind | null;
}

/** Returns the names of a person for new accounts of an app. They differ for different numbers. */
export interface Naming {
  /** `number` is 1 for the first choice, and one more for each that is taken. */
  nameOf(person: NamedPerson, number: number): string;
  /** Whether the system accepts the name, as far as its kind is known. */
  fits(name: string): boolean;
}

/**
 * Returns the naming of an app (D82), or null if its accounts get the user names of their people, whoever has them: the app has no rule,
 * and its connector names no kind of system.
 */
export function namingOf({ user_name: rule, user_name_kind: kind }: UserNameSettings): Naming | null {
  if (rule === null && kind === null) return null;
  const own = sourceOf(rule);
  const fits = (name: string) => name !== '' && (kind === null || userNameRefusal(kind, name) === undefined);
  const first = (person: NamedPerson) => usable(own?.nameOf(person, '')) ?? defaultName(kind, person);
  return {
    fits,
    nameOf(person, number) {
      if (number === 1) return first(person);
      const numbered = own?.isNumbered ? usable(own.nameOf(person, String(number))) : undefined;
      // A template can cut off the number that it adds.
      return numbered !== undefined && !isSame(numbered, own?.nameOf(person, String(number - 1)))
        ? numbered
        : cutUserName(kind, first(person), String(number));
    },
  };
}

/** The longest user name that a person can have, in characters. */
const LONGEST = 320;

/** Returns a name that an account can have: not empty or endless, and without NUL, which a template can write. */
const usable = (name: string | undefined) =>
  name === undefined || name === '' || name.length > LONGEST || name.includes('\0') ? undefined : name;

const isSame = (one: string, other: string | undefined) => one.toLowerCase() === other?.toLowerCase();

interface Source {
  isNumbered: boolean;
  nameOf(person: NamedPerson, number: string): string | undefined;
}

function sourceOf(rule: UserNameRule | null): Source | undefined {
  if (rule?.template != null) return userNameTemplate(rule.template);
  if (rule?.attribute != null) {
    const { attribute } = rule;
    return { isNumbered: false, nameOf: (person) => textOf(asRead(person).attributes, attribute) };
  }
  return rule === null ? undefined : { isNumbered: false, nameOf: ({ username }) => username };
}

/** An attribute may have a name that every object inherits, such as `constructor`. */
function textOf(attributes: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * Returns the default name of a person: the user name, or where that is the email or does not fit, the part of the email before the @ in
 * ASCII, as much of it as the system accepts. The user name if nothing fits: the connector then says what is wrong with it.
 */
function defaultName(kind: UserNameKind | null, { username, email }: NamedPerson): string {
  if (kind === null) return username;
  const isEmail = username.toLowerCase() === email.toLowerCase();
  if (!isEmail && userNameRefusal(kind, username) === undefined) return username;
  const local = (isEmail || email !== '' ? email : username).split('@')[0] ?? '';
  const name = cutUserName(kind, withoutForbidden(kind, toAscii(local)));
  return userNameRefusal(kind, name) === undefined ? name : username;
}
