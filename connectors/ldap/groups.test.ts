// @module-tag servers
import type { AccountRecord } from '@gatehouse/connector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { findById, listAccounts, listGroups, listLicenses, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { createEntry, deleteEntry, updateEntry } from './tasks.ts';
import { available, startOpenLdap } from './test/conformance.ts';
import { connectTo } from './test/tools.ts';

const base = 'dc=acme,dc=example';
const person = (uid: string) => `uid=${uid},ou=people,${base}`;
const entry = (dn: string, ...lines: string[]) => [`dn: ${dn}`, ...lines].join('\n');
const inPeople = (uid: string, ...lines: string[]) =>
  entry(person(uid), 'objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${uid}`, `sn: ${uid}`, ...lines);
const oddFolder = (rdn: string, ou: string) => entry(`${rdn},${base}`, 'objectClass: organizationalUnit', ou);

const entries = [
  inPeople(
    'ada',
    'uid: a.byron',
    'objectClass: posixAccount',
    'uidNumber: 1',
    'gidNumber: 700',
    'homeDirectory: /',
  ),
  inPeople('bob'),
  inPeople('gone'),
  entry(
    `cn=posix,ou=groups,${base}`,
    'objectClass: posixGroup',
    'cn: posix',
    'gidNumber: 500',
    'memberUid: ada',
    'memberUid: gone',
  ),
  entry(
    `cn=alias,ou=groups,${base}`,
    'objectClass: posixGroup',
    'cn: alias',
    'gidNumber: 501',
    'memberUid: a.byron',
  ),
  entry(`cn=primary,ou=groups,${base}`, 'objectClass: posixGroup', 'cn: primary', 'gidNumber: 700'),
  entry(
    `cn=unique,ou=groups,${base}`,
    'objectClass: groupOfUniqueNames',
    'cn: unique',
    `uniqueMember: ${person('ada')}`,
    `uniqueMember: ${person('gone')}#'0101'B`,
  ),
  entry(`cn=names,ou=groups,${base}`, 'objectClass: groupOfNames', 'cn: names', `member: ${person('gone')}`),
  entry(
    `cn=both,ou=groups,${base}`,
    'objectClass: groupOfNames',
    'objectClass: extensibleObject',
    'cn: both',
    `member: ${person('ada')}`,
    'memberUid: gone',
    `uniqueMember: ${person('bob')}`,
  ),
  entry(
    `cn=nest,ou=groups,${base}`,
    'objectClass: groupOfUniqueNames',
    'cn: nest',
    `uniqueMember: cn=posix,ou=groups,${base}`,
  ),
  entry(
    `cn=seats,ou=licenses,${base}`,
    'objectClass: posixGroup',
    'objectClass: extensibleObject',
    'cn: seats',
    'gidNumber: 900',
    'businessCategory: 1',
    'businessCategory: Sales',
  ),
  entry(
    `cn=printers,ou=groups,${base}`,
    'objectClass: organizationalRole',
    'cn: printers',
    `roleOccupant: ${person('ada')}`,
  ),
  ...[
    ['ou=Smith\\, Jones', 'ou: Smith, Jones'],
    ['ou=Gruppen K\\C3\\B6ln', 'ou: Gruppen Köln'],
    ['ou=a+l=b', 'ou: a\nl: b'],
  ].flatMap(([rdn = '', ou = '']) => [
    oddFolder(rdn, ou),
    entry(`cn=team,${rdn},${base}`, 'objectClass: groupOfNames', 'cn: team', `member: ${person('ada')}`),
  ]),
].join('\n\n');

describe.skipIf(!available)('groups of OpenLDAP (needs slapd and ldap-utils)', { shuffle: false }, () => {
  let stage: Awaited<ReturnType<typeof startOpenLdap>>;
  const open: Directory[] = [];
  const connect = async (changes: Record<string, unknown> = {}) => {
    const directory = await connectTo({ ...stage.settings, ...changes });
    open.push(directory);
    return directory;
  };
  const names = (account: AccountRecord | null | undefined) =>
    (account?.memberships?.group ?? []).map(({ name }) => name).sort();
  /** The groups of an account, as a listing and as the read of one account see them. */
  const groupsOf = async (directory: Directory, uid: string) => {
    const id = await stage.idOf(`(uid=${uid})`);
    const listed = (await Array.fromAsync(listAccounts(directory))).find((each) => each.id === id);
    const read = await readAccount(directory, id);
    expect(names(read)).toEqual(names(listed));
    return names(listed);
  };
  const ref = async (cn: string) => ({ id: await stage.idOf(`(cn=${cn})`) });

  beforeAll(async () => {
    stage = await startOpenLdap({ entries });
  }, 60_000);
  afterAll(async () => {
    for (const { session } of open) await session.close();
    await stage?.stop();
  });

  test('lists members by DN, by DN with a number, by user name, and primary groups', async () => {
    const directory = await connect();
    expect(await groupsOf(directory, 'ada')).toEqual(['alias', 'both', 'nest', 'posix', 'primary', 'unique']);
    expect(await groupsOf(directory, 'gone')).toEqual(['both', 'names', 'nest', 'posix', 'unique']);
    expect(await groupsOf(directory, 'bob')).toEqual(['both']);
  });

  test.each([
    ['(objectClass=posixGroup)', ['alias', 'posix', 'primary']],
    ['(objectClass=groupOfUniqueNames)', ['nest', 'unique']],
  ])('lists the members of the groups that %s selects', async (groupFilter, expected) => {
    expect(await groupsOf(await connect({ groupFilter }), 'ada')).toEqual(expected);
  });

  test('refuses groups without a class whose members it knows', async () => {
    const directory = await connect({
      groupFilter: '(|(objectClass=groupOfNames)(objectClass=organizationalRole))',
    });
    const sentence =
      /cn=printers,ou=groups,.* has none of the object classes groupOfNames, .*exclude it with groupFilter/;
    await expect(connector.check?.(directory)).rejects.toThrow(sentence);
    await expect(Array.fromAsync(listGroups(directory))).rejects.toThrow(sentence);
    await expect(Array.fromAsync(listAccounts(directory))).rejects.toThrow(sentence);
    await connector.check?.(await connect({ groupFilter: '(objectClass=posixGroup)' }));
  });

  test('adds and removes members of each class, also the last one', async () => {
    const directory = await connect();
    const id = await stage.idOf('(uid=bob)');
    const group = await Promise.all(['posix', 'unique', 'names', 'primary'].map(ref));
    for (let n = 0; n < 2; n++)
      await updateEntry(directory, { id }, { group: { added: group, removed: [] } });
    expect(await groupsOf(directory, 'bob')).toEqual(['both', 'names', 'nest', 'posix', 'primary', 'unique']);
    expect(await stage.search('(cn=posix)', 'memberUid')).toContain('memberUid: bob\n');
    expect(await stage.search('(cn=unique)', 'uniqueMember')).toContain(`uniqueMember: ${person('bob')}\n`);
    const removed = [...group, await ref('both')];
    for (let n = 0; n < 2; n++) await updateEntry(directory, { id }, { group: { added: [], removed } });
    expect(await groupsOf(directory, 'bob')).toEqual([]);
  });

  test('says that a primary group cannot be removed', async () => {
    const directory = await connect();
    const removed = [await ref('primary')];
    await expect(
      updateEntry(directory, { id: await stage.idOf('(uid=ada)') }, { group: { added: [], removed } }),
    ).rejects.toThrow('the account stays in primary through another group or as its primary group');
  });

  test('leaves no value of a deleted account behind, in no attribute', async () => {
    const directory = await connect();
    await deleteEntry(directory, await stage.idOf('(uid=gone)'));
    expect(await stage.search('(|(cn=posix)(cn=unique)(cn=names)(cn=both))')).not.toContain('gone');
    const created = await createEntry(
      directory,
      { id: '', username: 'gone', last_name: 'New' },
      { group: [await ref('posix')] },
    );
    expect(names(await readAccount(directory, created.id))).toEqual(['nest', 'posix']);
  });

  test('counts the seats of a license whose group has user names', async () => {
    const directory = await connect();
    const license = [await ref('seats')];
    await updateEntry(
      directory,
      { id: await stage.idOf('(uid=ada)') },
      { license: { added: license, removed: [] } },
    );
    expect(await stage.search('(cn=seats)', 'memberUid')).toContain('memberUid: ada\n');
    expect(await Array.fromAsync(listLicenses(directory))).toContainEqual(
      expect.objectContaining({ name: 'seats', max_count: 1, used_count: 1 }),
    );
    await expect(
      updateEntry(
        directory,
        { id: await stage.idOf('(uid=bob)') },
        { license: { added: license, removed: [] } },
      ),
    ).rejects.toThrow('all 1 seats');
  });

  test.each([
    `ou=Smith\\, Jones,${base}`,
    `ou=smith\\2C  jones , DC=Acme,${base.split(',')[1]}`,
    `ou="Smith, Jones",${base}`,
    `ou=Gruppen K\\C3\\B6ln,${base}`,
    `OU=GRUPPEN KÖLN,${base}`,
    `l=B+ou=A,${base}`,
    `2.5.4.11=Smith\\2C Jones,${base}`,
  ])('finds the memberships of the groups below %s', async (groups) => {
    expect(await groupsOf(await connect({ groups }), 'ada')).toEqual(['team']);
    // The names of the groups that the filter selects are compared, too.
    expect(await groupsOf(await connect({ groups, groupFilter: '(cn=team)' }), 'ada')).toEqual(['team']);
  });

  test('creates people below a base DN with escapes, whose names need escapes', async () => {
    const users = `ou="Smith, Jones",${base}`;
    const directory = await connect({ users });
    const username = '#a+b,c="d";\\<x>';
    const { id } = await createEntry(
      directory,
      { id: '', username, last_name: 'Odd' },
      { group: [await ref('posix')] },
    );
    expect(names(await readAccount(directory, id))).toEqual(['nest', 'posix']);
    await deleteEntry(directory, id);
    expect(await findById(directory, id)).toBeUndefined();
    expect(await stage.search('(cn=posix)', 'memberUid')).not.toContain('a+b');
  });

  test('refuses a base DN that is none, and reads filters with bytes of UTF-8', async () => {
    await expect(connect({ groups: 'groups' })).rejects.toThrow('"groups" is not a distinguished name');
    await expect(connect({ licenses: '<GUID=1>' })).rejects.toThrow('"licenses" is not a distinguished name');
    await expect(connect({ userFilter: '(cn=\\ff)' })).rejects.toThrow(
      '"userFilter" is not a valid LDAP filter',
    );
    const directory = await connect({ users: base, userFilter: '(ou=Gruppen K\\c3\\b6ln)' });
    const found = await Array.fromAsync(directory.session.entries(base, directory.userFilter, ['ou']));
    expect(found.map(({ ou }) => ou)).toEqual(['Gruppen Köln']);
  });
});
