import { join } from 'node:path';
import { readText } from '@gatehouse/connector';

export type Files = { root: string; minUid: number; through?: string | undefined };
export type User = {
  name: string;
  uid: number;
  gid: number;
  fullName: string;
  shell: string;
  suspended: boolean;
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

/**
 * Returns the names of expired accounts: by date (`usermod --expiredate`), or because their password expired more days ago than their
 * owner may still change it. Only root may read the file, and without it an expired account would look active.
 */
async function expired(root: string, passwd: string[][]): Promise<Set<string>> {
  const shadow = await rows(root, 'shadow').catch((error: NodeJS.ErrnoException) => {
    const usesShadow = passwd.some(([, password]) => password === 'x');
    if (error.code === 'ENOENT' && !usesShadow) return [];
    if (error.code === undefined) throw error;
    throw new Error(
      `${join(root, 'etc', 'shadow')} cannot be read (${error.code}), so it is unknown which accounts have expired; run the connector as a user who may read it, such as root or a member of the group shadow`,
      { cause: error },
    );
  });
  const today = Math.floor(Date.now() / dayInMs);
  return new Set(shadow.filter((fields) => isExpired(fields, today)).map(([name = '']) => name));
}

/** Reads the days of shadow(5). An empty or negative number is none. A password changed on day 0 must be changed at the next sign-in. */
function isExpired([, , changed, , longest, , grace, end]: string[], today: number): boolean {
  const days = (text: string | undefined) => (text && Number(text) >= 0 ? Number(text) : undefined);
  const [last, most, more, until] = [days(changed), days(longest), days(grace), days(end)];
  if (until !== undefined && until <= today) return true;
  return Boolean(last) && most !== undefined && more !== undefined && today - Number(last) > most + more;
}

/** Lists people: users with an id of at least `minUid`, except `nobody`. */
export async function readUsers({ root, minUid }: Files): Promise<User[]> {
  const passwd = await rows(root, 'passwd');
  const gone = await expired(root, passwd);
  return passwd
    .filter(([name = '']) => name !== '' && !name.startsWith('+') && !name.startsWith('-'))
    .map(([name = '', , uid = '', gid, gecos = '', , shell = '']) => {
      if (!/^\d+$/.test(uid))
        throw new Error(`${join(root, 'etc', 'passwd')}, user ${name}: "${uid}" is not a user id`);
      return {
        name,
        uid: Number(uid),
        gid: Number(gid),
        fullName: gecos.split(',')[0] ?? '',
        shell,
        suspended: gone.has(name),
      };
    })
    .filter(({ uid }) => uid >= minUid && uid < 65534);
}

export async function readGroups({ root }: Files): Promise<Group[]> {
  return (await rows(root, 'group')).map(([name = '', , gid, members = '']) => ({
    name,
    gid: Number(gid),
    members: members.split(',').filter(Boolean),
  }));
}
