import {
  defineConnector,
  deliverToProgram,
  Exit,
  Failure,
  flag,
  main,
  reason,
  secret,
  text,
  VERSION,
} from '@gatehouse/connector';
import { FilterParser } from 'ldapts';
import { findAccount, listAccounts, listGroups, listLicenses, readAccount } from './directory.ts';
import { parseDn } from './dn.ts';
import { asTaskError } from './errors.ts';
import { requireKnownGroups } from './groups.ts';
import { type Directory, kindOf } from './kinds.ts';
import { requireReadable } from './readable.ts';
import { first, Session } from './session.ts';
import { createEntry, deleteEntry, resetPassword, setLocked, updateEntry } from './tasks.ts';

/** Connects OpenLDAP, 389 Directory Server and Active Directory. The ids are those that the server itself assigns. */
export const connector = defineConnector({
  name: 'ldap',
  version: VERSION,
  description: 'People and groups of an LDAP directory',
  config: {
    url: text('ldap:// or ldaps:// URL'),
    bindDn: text('DN to bind with'),
    bindPassword: secret('password of that DN'),
    users: text('base DN of the people, such as ou=people,dc=acme,dc=example'),
    groups: text('base DN of the groups'),
    licenses: text('base DN of the groups that represent licenses', { optional: true }),
    server: text('kind of server: openldap, 389ds or ad; auto finds out', { default: 'auto' }),
    startTls: flag('encrypt an ldap:// connection with StartTLS'),
    caFile: text('file with the certificates of the trusted CAs, in PEM', { optional: true, local: true }),
    ca: text('certificates of the trusted CAs, in PEM', { optional: true }),
    nestedGroups: flag('list memberships that come from groups in groups', { default: true }),
    userFilter: text('LDAP filter of the people, instead of the one for the server', { optional: true }),
    groupFilter: text('LDAP filter of the groups, instead of the one for the server', { optional: true }),
    deliverTo: text('program that receives new passwords as JSON on standard input', {
      optional: true,
      local: true,
    }),
  },
  async connect({
    users,
    groups,
    licenses,
    server,
    nestedGroups,
    deliverTo,
    ...settings
  }): Promise<Directory> {
    const session = new Session(settings);
    refuseCatalog(settings.url, server);
    const kind = await kindOf(session, server);
    const root =
      kind.name === 'ad'
        ? first((await session.read('', ['defaultNamingContext']))?.defaultNamingContext)
        : undefined;
    const userFilter = filterOf('userFilter', settings.userFilter ?? kind.people);
    const groupFilter = filterOf('groupFilter', settings.groupFilter ?? kind.groups);
    const folders = { users: dnOf('users', users), groups: dnOf('groups', groups), licenses };
    if (licenses !== undefined) dnOf('licenses', licenses);
    return { session, kind, root, ...folders, userFilter, groupFilter, nestedGroups, deliverTo };
  },
  close: ({ session }) => session.close(),
  async check(directory) {
    const { session, users, groups, licenses } = directory;
    for (const base of [users, groups, licenses]) if (base) await session.read(base, ['objectClass']);
    for (const base of [groups, licenses]) if (base) await requireKnownGroups(directory, base);
    await requireReadable(directory);
  },
  groups: { group: { name: 'Groups', list: listGroups } },
  licenses: { license: { name: 'Licenses', list: listLicenses } },
  accounts: { person: { name: 'People', list: listAccounts, get: readAccount } },
  userNames: ({ kind }) => (kind.name === 'ad' ? 'active_directory' : undefined),
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
  mapError: asTaskError,
});

/** The ports of Active Directory's global catalog, and those of the domain itself. */
const domainPorts: Record<string, string> = { '3268': 'port 389', '3269': 'port 636' };

/** A global catalog has a part of each object only: without the members of most groups, they would seem to be empty. */
function refuseCatalog(url: string, server: string): void {
  const { port } = new URL(url);
  const better = domainPorts[port];
  if (better === undefined || (server !== 'auto' && server !== 'ad')) return;
  throw new Failure(
    `port ${port} is the global catalog of Active Directory, which does not show the members of most groups: use ${better} of a domain controller`,
    Exit.usage,
  );
}

function dnOf(name: string, dn: string): string {
  if (parseDn(dn)) return dn;
  throw new Failure(`"${name}" is not a distinguished name (RFC 4514): ${dn}`, Exit.usage);
}

/** Returns a filter with its bytes of UTF-8 as text, because ldapts takes each of them for a character. */
function filterOf(name: string, value: string): string {
  const decode = (escaped: string) =>
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(escaped.replaceAll('\\', ''), 'hex'));
  try {
    const text = value.trim().replace(/(?:\\[89a-f][0-9a-f])+/gi, decode);
    const filter = text.startsWith('(') ? text : `(${text})`;
    FilterParser.parseString(filter);
    return filter;
  } catch (error) {
    throw new Failure(`"${name}" is not a valid LDAP filter: ${reason(error)}`, Exit.usage);
  }
}

await main(connector, import.meta);
