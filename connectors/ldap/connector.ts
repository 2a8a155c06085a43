import {
  defineConnector,
  deliverToProgram,
  main,
  secret,
  TaskError,
  type TaskErrorCode,
  text,
} from '@gatehouse/connector';
import { Client, ResultCodeError } from 'ldapts';
import {
  type Directory,
  findAccount,
  listAccounts,
  listGroups,
  listLicenses,
  readAccount,
} from './directory.ts';
import { createEntry, deleteEntry, resetPassword, setLocked, updateEntry } from './tasks.ts';

/** Connects LDAP directories with inetOrgPerson and groupOfNames, such as OpenLDAP. Ids are entryUUIDs. */
export const connector = defineConnector({
  name: 'ldap',
  version: '0.1.0',
  description: 'People and groups of an LDAP directory',
  config: {
    url: text('ldap:// or ldaps:// URL'),
    bindDn: text('DN to bind with'),
    bindPassword: secret('password of that DN'),
    users: text('base DN of the people, such as ou=people,dc=acme,dc=example'),
    groups: text('base DN of the groups'),
    licenses: text('base DN of the groups that represent licenses', { optional: true }),
    deliverTo: text('program that receives new passwords as JSON on standard input', {
      optional: true,
    }),
  },
  async connect({ url, bindDn, bindPassword, ...folders }): Promise<Directory> {
    const client = new Client({ url, timeout: 60_000, connectTimeout: 10_000, autoRebind: true });
    await client.bind(bindDn, bindPassword);
    return { client, ...folders };
  },
  close: ({ client }) => client.unbind(),
  async check({ client, users, groups }) {
    for (const base of [users, groups]) await client.search(base, { scope: 'base' });
  },
  groups: { group: { name: 'Groups', list: listGroups } },
  licenses: { license: { name: 'Licenses', list: listLicenses } },
  accounts: { person: { name: 'People', list: listAccounts, get: readAccount } },
  tasks: {
    find: findAccount,
    create: (directory, { account, memberships }) => createEntry(directory, account, memberships),
    update: (directory, { account, changes }) => updateEntry(directory, account, changes),
    delete: (directory, { id }) => deleteEntry(directory, id),
    suspend: (directory, { id }) => setLocked(directory, id, true),
    unsuspend: (directory, { id }) => setLocked(directory, id, false),
    resetPassword: (directory, { id }) => resetPassword(directory, id),
  },
  deliver: ({ deliverTo }, message) => deliverToProgram(deliverTo, message),
  mapError(error) {
    if (!(error instanceof ResultCodeError)) return undefined;
    const meaning = meanings[error.code];
    return meaning && new TaskError(meaning, error.message, { cause: error });
  },
});

/** Result codes of RFC 4511, appendix A. */
const meanings: Record<number, TaskErrorCode> = {
  3: 'TIMEOUT',
  32: 'ACCOUNT_NOT_FOUND',
  49: 'PERMISSION_DENIED',
  50: 'PERMISSION_DENIED',
  51: 'RATE_LIMITED',
  68: 'ACCOUNT_ALREADY_EXISTS',
};

await main(connector, import.meta);
