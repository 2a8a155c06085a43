import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountRecord, defineConnector, main, number, text, VERSION } from '@gatehouse/connector';
import { type Files, readGroups, readUsers } from './files.ts';
import { addUser, changeGroups, deleteUser, findUser, suspendUser, unsuspendUser } from './tasks.ts';
import { reportUnseen } from './unseen.ts';

/** Connects the users and groups of a Linux machine through its passwd, shadow and group files. */
export const connector = defineConnector({
  name: 'linux',
  version: VERSION,
  description: 'Users and groups of this machine',
  config: {
    root: text('folder that contains etc/passwd and etc/group', { default: '/' }),
    minUid: number('lowest user id of a person', { default: 1000 }),
    through: text('program that runs useradd, usermod and userdel, such as sudo', { optional: true }),
  },
  connect: (config): Files => config,
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
      async *list(files, { unseen }) {
        yield* await listAccounts(files);
        await reportUnseen(files, unseen);
      },
      get: async (files, id) => (await listAccounts(files)).find((account) => account.id === id) ?? null,
    },
  },
  userNames: 'linux',
  // No resetPassword: the tools would expose the password in the process list.
  tasks: {
    find: findUser,
    create: (files, { account, memberships }) => addUser(files, account, memberships),
    update: (files, { account, changes }) => changeGroups(files, account.id, changes),
    delete: (files, { id }) => deleteUser(files, id),
    suspend: (files, { id }) => suspendUser(files, id),
    unsuspend: (files, { id }) => unsuspendUser(files, id),
  },
});

async function listAccounts(files: Files): Promise<AccountRecord<'group'>[]> {
  const groups = await readGroups(files);
  return (await readUsers(files)).map(({ name, uid, gid, fullName, shell, suspended }) => {
    const own = groups.filter((group) => group.gid === gid || group.members.includes(name));
    const group = own.map((each) => ({ id: each.name }));
    return {
      id: name,
      username: name,
      display_name: fullName,
      status: suspended ? 'suspended' : 'active',
      ...(isOwn(files, uid) ? { is_own: true } : {}),
      attributes: { uid, shell },
      memberships: { group },
    };
  });
}

/** The user as which the connector runs, unless the files are those of another machine. */
const isOwn = ({ root }: Files, uid: number) => root === '/' && uid === process.getuid?.();

await main(connector, import.meta);
