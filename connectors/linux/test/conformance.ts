import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, type Stage, switchOf } from '@gatehouse/connector/conformance';

/** The tools need root, even with another root folder. */
export const available = process.getuid?.() === 0 && existsSync('/usr/sbin/useradd');

const WHOLE = 'the files of a machine can be read completely, or not at all';

/** Creates a temporary root folder with 150 users. Results are read back from its files. */
async function start(): Promise<Stage & { partial: unknown; misfit: unknown }> {
  const root = await mkdtemp(join(tmpdir(), 'gatehouse-linux-'));
  const file = (name: string) => join(root, 'etc', name);
  await chmod(root, 0o755);
  await mkdir(join(root, 'etc'));
  const users = Array.from({ length: 150 }, (_, n) => ({ name: `person${n}`, id: 1000 + n }));
  const files = {
    passwd: [
      'root:x:0:0:root:/root:/bin/sh',
      ...users.map(({ name, id }) => `${name}:x:${id}:${id}:${name}:/home/${name}:/bin/sh`),
    ],
    // The last person has expired.
    shadow: [
      'root:*:19000::::::',
      ...users.map(({ name }, n) => `${name}:!:19000:0:99999:7::${n === 149 ? '1' : ''}:`),
    ],
    group: [
      'root:x:0:',
      'red:x:500:person1,person2',
      'blue:x:501:',
      ...users.map(({ name, id }) => `${name}:x:${id}:`),
    ],
    gshadow: ['root:*::', 'red:!::person1,person2', 'blue:!::', ...users.map(({ name }) => `${name}:!::`)],
    'login.defs': ['UID_MIN 1000', 'GID_MIN 1000', 'USERGROUPS_ENAB yes'],
  };
  for (const [name, lines] of Object.entries(files))
    await writeFile(file(name), `${lines.join('\n')}\n`, { mode: name.includes('shadow') ? 0o600 : 0o644 });

  const away = (path: string) => {
    const [here, there] = [join(root, path), join(root, 'away')];
    return switchOf((on) => (on ? rename(here, there) : rename(there, here)));
  };
  const line = async (name: string, id: string) =>
    (await readFile(file(name), 'utf8')).split('\n').find((each) => each.startsWith(`${id}:`));
  return {
    settings: { root },
    weakSettings: { root, through: 'setpriv --reuid=65534 --regid=65534 --clear-groups' },
    newAccount: (n) => ({
      id: `ours-${n}`,
      username: `new${n}`,
      first_name: 'New',
      last_name: `Number ${n}`,
    }),
    grants: ['red', 'blue'].map((id) => ({ slug: 'group', ref: { id } })),
    witness: {
      exists: async (id) => (await line('passwd', id)) !== undefined,
      suspended: async (id) => (await line('shadow', id))?.split(':')[7] === '1',
      holds: async (id, _slug, ref) =>
        (await line('group', ref))?.split(':')[3]?.split(',').includes(id) ?? false,
    },
    partial: {
      account: WHOLE,
      group: WHOLE,
      member: switchOf(async (on) => {
        const [from, to] = on
          ? ['blue:x:501:', 'blue:x:501:stranger']
          : ['blue:x:501:stranger', 'blue:x:501:'];
        await writeFile(file('group'), (await readFile(file('group'), 'utf8')).replace(from, to));
      }),
    },
    misfit: (n: number) => ({ id: `odd-${n}`, username: `no name ${n}` }),
    outage: away('etc'),
    blindness: away('etc/shadow'),
    stop: () => rm(root, { recursive: true, force: true }),
  };
}

export const fixture: Fixture = { start };
