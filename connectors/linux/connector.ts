import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConnector, main, number, text } from '@gatehouse/connector';
import { type Files, readGroups, readUsers } from './files.ts';

/** The users and groups of a Linux machine, read from its passwd, shadow and group files. */
export const connector = defineConnector({
  name: 'linux',
  version: '0.1.0',
  description: 'Users and groups of this machine',
  config: {
    root: text('folder that holds etc/passwd and etc/group', { default: '/' }),
    minUid: number('first user id that is a person', { default: 1000 }),
  },
  connect: ({ root, minUid }): Files => ({ root, minUid }),
  check: ({ root }) => access(join(root, 'etc', 'passwd')),
  groups: {
    group: {
      name: 'Groups',
      async *list(files) {
        for (const { name, gid } of await readGroups(files))
          yield { id: name, name, description: `gid ${gid}` };
      },
    },
  },
  accounts: {
    user: {
      name: 'Users',
      async *list(files) {
        const groups = await readGroups(files);
        for (const user of await readUsers(files)) {
          const own = groups.filter(({ gid, members }) => gid === user.gid || members.includes(user.name));
          yield {
            id: user.name,
            username: user.name,
            display_name: user.fullName,
            status: user.suspended ? 'suspended' : 'active',
            memberships: { group: own.map(({ name }) => ({ id: name })) },
          };
        }
      },
    },
  },
});

await main(connector, import.meta);
