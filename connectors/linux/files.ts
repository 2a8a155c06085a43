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

/** Returns the names of expired accounts (`usermod --expiredate`). Only root may read the file. */
async function expired(root: string): Promise<Set<string>> {
  const shadow = await rows(root, 'shadow').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES' || error.code === 'ENOENT') return [];
    throw error;
  });
  const today = Math.floor(Date.now() / dayInMs);
  return new Set(
    shadow.filter((fields) => fields[7] && Number(fields[7]) <= today).map((fields) => fields[0] ?? ''),
  );
}

/** Lists people: users with an id of at least `minUid`, except `nobody`. */
export async function readUsers({ root, minUid }: Files): Promise<User[]> {
  const [passwd, gone] = await Promise.all([rows(root, 'passwd'), expired(root)]);
  return passwd
    .map(([name = '', , uid, gid, gecos = '', , shell = '']) => ({
      name,
      uid: Number(uid),
      gid: Number(gid),
      fullName: gecos.split(',')[0] ?? '',
      shell,
      suspended: gone.has(name),
    }))
    .filter(({ name, uid }) => uid >= minUid && uid < 65534 && name !== '');
}

export async function readGroups({ root }: Files): Promise<Group[]> {
  return (await rows(root, 'group')).map(([name = '', , gid, members = '']) => ({
    name,
    gid: Number(gid),
    members: members.split(',').filter(Boolean),
  }));
}
