// @module-tag servers
import type { Unseen } from '@gatehouse/connector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAccounts, listGroups, listLicenses, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { createEntry, deleteEntry, updateEntry } from './tasks.ts';
import { available, startOpenLdap } from './test/conformance.ts';
import { connectTo } from './test/tools.ts';

const base = 'dc=acme,dc=example';
const people = `ou=people,${base}`;
const entry = (dn: string, ...lines: string[]) => [`dn: ${dn}`, ...lines].join('\n');
const account = (uid: string, below: string, ...lines: string[]) =>
  entry(
    `uid=${uid},${below}`,
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `cn: ${uid}`,
    `sn: ${uid}`,
    ...lines,
  );
const group = (cn: string, ...lines: string[]) =>
  entry(`cn=${cn},ou=groups,${base}`, 'objectClass: groupOfNames', `cn: ${cn}`, ...lines);
const chiefs = `ldap:///${people}??sub?(title=Chief)`;

const entries = [
  ...['partners', 'devices'].map((ou) =>
    entry(`ou=${ou},${base}`, 'objectClass: organizationalUnit', `ou: ${ou}`),
  ),
  account('zoe', `ou=partners,${base}`),
  account('hidden', people),
  account('ada', people, 'title: Chief'),
  account('bob', people, 'title: Chief'),
  account('eve', people),
  entry(`cn=printer,ou=devices,${base}`, 'objectClass: device', 'cn: printer'),
  group(
    'mixed',
    ...[`uid=ada,${people}`, `UID=Zoe, OU=partners,${base}`, `cn=printer,ou=devices,${base}`].map(
      (dn) => `member: ${dn}`,
    ),
    `member: uid=hidden,${people}`,
    `member: uid=deleted,${people}`,
    `member: uid=deleted,ou=deleted,${base}`,
    'member: uid=ann,dc=other,dc=example',
  ),
  group('outer', `member: cn=mixed,ou=groups,${base}`, `member: uid=zoe,ou=partners,${base}`),
  group('plain', `member: uid=ada,${people}`),
  group('secret', `member: uid=ada,${people}`, `member: uid=eve,${people}`),
  entry(
    `cn=posix,ou=groups,${base}`,
    'objectClass: posixGroup',
    'cn: posix',
    'gidNumber: 500',
    ...['ada', 'zoe', 'root', 'games'].map((uid) => `memberUid: ${uid}`),
  ),
  entry(`cn=chiefs,ou=groups,${base}`, 'objectClass: groupOfURLs', 'cn: chiefs', `memberURL: ${chiefs}`),
  group('both', 'objectClass: labeledURIObject', `labeledURI: ${chiefs}`, `member: uid=eve,${people}`),
  entry(
    `cn=licensed,ou=licenses,${base}`,
    'objectClass: groupOfNames',
    'cn: licensed',
    `member: uid=zoe,ou=partners,${base}`,
    `member: cn=mixed,ou=groups,${base}`,
  ),
].join('\n\n');

const reader = `dn.exact="cn=reader,${base}"`;
const access = [
  `access to dn.exact="uid=hidden,${people}" by ${reader} none by * read`,
  `access to dn.exact="cn=secret,ou=groups,${base}" attrs=member by ${reader} none by * read`,
].join('\n');

type Stage = Awaited<ReturnType<typeof startOpenLdap>>;

/** Lists everything, and returns the groups of each account, and what was left out of each group. */
async function list(stage: Stage, directory: Directory) {
  const reports = new Map<string, Unseen>();
  const unseen = (what: Unseen) => void reports.set(`${what.slug} ${what.id} ${what.rule}`, what);
  const groups = await Array.fromAsync(listGroups(directory, { unseen }));
  const licenses = await Array.fromAsync(listLicenses(directory));
  const accounts = await Array.fromAsync(listAccounts(directory, { unseen }));
  const names = new Map([...groups, ...licenses].map(({ id, name }) => [id, name]));
  const held = new Map(
    accounts.map(({ username, memberships }) => [
      username,
      (memberships?.group ?? []).map(({ name }) => name).sort(),
    ]),
  );
  for (const { id, username } of accounts.filter(({ username }) => !username?.startsWith('person.'))) {
    const read = await readAccount(directory, id);
    expect((read?.memberships?.group ?? []).map(({ name }) => name).sort()).toEqual(held.get(username));
  }
  const left = [...reports.values()].map(
    ({ slug, id, rule, count }) => `${id ? names.get(id) : `all of ${slug}`}: ${count} ${rule}`,
  );
  return { held, left: left.sort(), idOf: (cn: string) => stage.idOf(`(cn=${cn})`) };
}

describe.skipIf(!available)('what a listing does not show (needs slapd and ldap-utils)', () => {
  let stage: Stage;
  const open: Directory[] = [];
  const connect = async (changes: Record<string, unknown> = {}) => {
    const directory = await connectTo({ ...stage.weakSettings, ...changes });
    open.push(directory);
    return directory;
  };
  beforeAll(async () => {
    stage = await startOpenLdap({ entries, access });
  }, 60_000);
  afterAll(async () => {
    for (const { session } of open) await session.close();
    await stage?.stop();
  });

  test('is counted for each group, by the reason', async () => {
    const { held, left } = await list(stage, await connect());
    expect(held.get('ada')).toEqual(['mixed', 'outer', 'plain', 'posix']);
    expect(left).toEqual([
      'all of person: 1 foreign',
      'both: 2 computed',
      'chiefs: 2 computed',
      'licensed: 1 class',
      'licensed: 1 filter',
      'mixed: 1 class',
      'mixed: 1 filter',
      'mixed: 1 foreign',
      'mixed: 1 unreadable',
      'outer: 1 class',
      'outer: 1 filter',
      'outer: 1 foreign',
      'outer: 1 unreadable',
      'posix: 1 filter',
      'posix: 2 foreign',
      'secret: 1 unreadable',
    ]);
  });

  test('is not taken for a removed member by a task', async () => {
    const [id, secret] = [await stage.idOf('(uid=eve)'), await stage.idOf('(cn=secret)')];
    const changes = { group: { added: [], removed: [{ id: secret }] } };
    await expect(updateEntry(await connect(), { id }, changes)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('may not read the members of cn=secret'),
    });
  });

  test('includes groups in groups without nestedGroups, and groups that the filter leaves out', async () => {
    const { left } = await list(
      stage,
      await connect({ nestedGroups: false, groupFilter: '(&(objectClass=groupOfNames)(!(cn=mixed)))' }),
    );
    expect(left.filter((each) => /^(all of group|outer|mixed)/.test(each))).toEqual([
      'all of group: 3 filter',
      'outer: 2 filter',
    ]);
  });

  test('is nothing for whoever may read all accounts', async () => {
    const { left } = await list(stage, await connect({ ...stage.settings, users: base }));
    expect(left.filter((each) => !/computed|foreign/.test(each))).toEqual([
      'licensed: 1 class',
      'mixed: 1 class',
      'outer: 1 class',
    ]);
  });
});

describe.skipIf(!available)('members that the directory computes (needs slapd and ldap-utils)', () => {
  let stage: Stage;
  let directory: Directory;
  beforeAll(async () => {
    stage = await startOpenLdap({ entries, dynamic: true });
    directory = await connectTo(stage.settings);
  }, 60_000);
  afterAll(async () => {
    await directory?.session.close();
    await stage?.stop();
  });
  const ref = async (cn: string) => ({ id: await stage.idOf(`(cn=${cn})`) });
  const change = async (uid: string, kind: 'added' | 'removed', cn: string) =>
    updateEntry(
      directory,
      { id: await stage.idOf(`(uid=${uid})`) },
      { group: { added: [], removed: [], [kind]: [await ref(cn)] } },
    );

  test('are listed and read in the same way', async () => {
    const { held, left } = await list(stage, directory);
    expect(held.get('ada')).toEqual(['both', 'chiefs', 'mixed', 'outer', 'plain', 'posix', 'secret']);
    expect(held.get('bob')).toEqual(['both', 'chiefs']);
    expect(held.get('eve')).toEqual(['both', 'secret']);
    expect(left.filter((each) => each.includes('computed'))).toEqual([]);
  });

  test('cannot be removed or added, and a task says why', async () => {
    await expect(change('bob', 'removed', 'both')).rejects.toThrow(
      `the account stays in both, because the directory computes the members of this group (${chiefs}): change the account or the URL`,
    );
    await expect(change('bob', 'removed', 'chiefs')).rejects.toThrow('the account stays in chiefs, because');
    await expect(change('eve', 'added', 'chiefs')).rejects.toThrow(
      /the members of cn=chiefs,.* are computed from its memberURL, so nobody can be added/,
    );
    await change('bob', 'added', 'chiefs');
  });

  test('leave the last stored member removable', async () => {
    await change('eve', 'removed', 'both');
    expect((await list(stage, directory)).held.get('eve')).toEqual(['secret']);
    await change('eve', 'added', 'both');
    await deleteEntry(directory, await stage.idOf('(uid=eve)'));
    const { id } = await createEntry(directory, { id: '', username: 'eve', last_name: 'New' }, {});
    expect((await readAccount(directory, id))?.memberships?.group).toEqual([]);
  });
});
