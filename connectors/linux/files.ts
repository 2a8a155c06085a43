import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '@gatehouse/connector';

export type Files = { root: string; minUid: number; through?: string | undefined };
export type User = {
  name: string;
  uid: number;
  gid: number;
  /** The comment of passwd: full name, room, phones and others, separated by commas. */
  comment: string;
  fullName: string;
  shell: string;
  suspended: boolean;
  /** The day from which the account has expired, in days since 1970; undefined if there is none. */
  expires: number | undefined;
  /** Days since the password has expired for longer than its owner may still change it; undefined if it has not. */
  passwordDeadFor: number | undefined;
};
export type Group = { name: string; gid: number; members: string[] };

const dayInMs = 24 * 60 * 60 * 1000;

async function rows(root: string, name: string): Promise<string[][]> {
  const pieces = await Array.fromAsync(readText(join(root, 'etc', name)));
  return pieces
    .join('')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'));
}

type Expiry = Pick<User, 'expires' | 'passwordDeadFor'>;

/**
 * Returns when accounts expire: by date (`usermod --expiredate`), or because their password expired more days ago than their
 * owner may still change it. Only root may read the file, and without it an expired account would look active.
 */
async function readExpiries(root: string, passwd: string[][]): Promise<Map<string, Expiry>> {
  const shadow = await rows(root, 'shadow').catch((error: NodeJS.ErrnoException) => {
    const usesShadow = passwd.some(([, password]) => password === 'x');
    if (error.code === 'ENOENT' && !usesShadow) return [];
    if (error.code === undefined) throw error;
    throw new Error(
      `${join(root, 'etc', 'shadow')} cannot be read (${error.code}), so it is unknown which accounts have expired; run the connector as a user who may read it, such as root or a member of the group shadow`,
      { cause: error },
    );
  });
  return new Map(shadow.map((fields) => [fields[0] ?? '', expiryOf(fields)]));
}

/** Today, in days since 1970. */
export const today = (): number => Math.floor(Date.now() / dayInMs);
/** Returns a number of days since 1970 as a date. */
export const dateOf = (days: number): string => new Date(days * dayInMs).toISOString().slice(0, 10);

/** Reads the days of shadow(5). An empty or negative number is none. A password changed on day 0 must be changed at the next sign-in. */
function expiryOf([, , changed, , longest, , grace, end]: string[]): Expiry {
  const days = (text: string | undefined) => (text && Number(text) >= 0 ? Number(text) : undefined);
  const [last, most, more] = [days(changed), days(longest), days(grace)];
  const dead = last && most !== undefined && more !== undefined ? today() - (last + most + more) : 0;
  return { expires: days(end), passwordDeadFor: dead > 0 ? dead : undefined };
}

/** Names that include users or groups of another system, or exclude them (nsswitch.conf, compat). */
const compat = /^[+-]/;

/** Sources whose files the connector reads, or that have no users for others. */
const LOCAL = new Set(['files', 'compat', 'systemd']);

/**
 * Counts the other systems from which the machine takes users or groups, such as a directory. How many users or groups they have is
 * unknown.
 */
export async function countSources({ root }: Files, database: 'passwd' | 'group'): Promise<number> {
  const included = (await rows(root, database)).filter(([name = '']) => name.startsWith('+'));
  const settings = await readFile(join(root, 'etc', 'nsswitch.conf'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const [, text = ''] = new RegExp(`^\\s*${database}:(.*)$`, 'm').exec(settings) ?? [];
  const sources = text
    .replace(/#.*|\[.*?\]/g, ' ')
    .split(/\s+/)
    .filter((name) => name !== '' && !LOCAL.has(name));
  return included.length + sources.length;
}

/** The ids of `nobody`, and those that mean "none". */
const NOBODY = new Set([65534, 65535, 4294967294, 4294967295]);

/** Whether a user is a person: with an id of at least `minUid`, except `nobody`. Directories give ids far above those of useradd. */
export const isPerson = ({ minUid }: Files, { uid }: User): boolean => uid >= minUid && !NOBODY.has(uid);

/** Lists people. */
export const readUsers = async (files: Files): Promise<User[]> =>
  (await readAllUsers(files)).filter((user) => isPerson(files, user));

/** Lists people and system users. */
export async function readAllUsers({ root }: Files): Promise<User[]> {
  const passwd = await rows(root, 'passwd');
  const expiries = await readExpiries(root, passwd);
  return passwd
    .filter(([name = '']) => name !== '' && !compat.test(name))
    .map(([name = '', , uid = '', gid, gecos = '', , shell = '']) => {
      if (!/^\d+$/.test(uid))
        throw new Error(`${join(root, 'etc', 'passwd')}, user ${name}: "${uid}" is not a user id`);
      const { expires, passwordDeadFor } = expiries.get(name) ?? {
        expires: undefined,
        passwordDeadFor: undefined,
      };
      const isExpired = expires !== undefined && expires <= today();
      return {
        name,
        uid: Number(uid),
        gid: Number(gid),
        comment: gecos,
        fullName: gecos.split(',')[0] ?? '',
        shell,
        suspended: isExpired || passwordDeadFor !== undefined,
        expires,
        passwordDeadFor,
      };
    });
}

export async function readGroups({ root }: Files): Promise<Group[]> {
  const named = (await rows(root, 'group')).filter(([name = '']) => name !== '' && !compat.test(name));
  return named.map(([name = '', , gid, members = '']) => ({
    name,
    gid: Number(gid),
    members: members.split(',').filter(Boolean),
  }));
}
