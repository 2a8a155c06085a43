// @module-tag servers
import { type AccountRecord, silent, type Unseen } from '@gatehouse/connector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { listAccounts, listGroups, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { createEntry, resetPassword, setLocked, updateEntry } from './tasks.ts';
import { available, start389 } from './test/conformance-389ds.ts';

// In this order: the last test kills the server, which takes long to start.
describe.skipIf(!available)(
  'on 389 Directory Server (needs 389-ds-base, ldap-utils and root)',
  { shuffle: false },
  () => {
    let server: Awaited<ReturnType<typeof start389>>;
    const open: Directory[] = [];
    const connect = async (changes: Record<string, unknown> = {}): Promise<Directory> => {
      const defaults = { server: 'auto', startTls: false, nestedGroups: true };
      const settings = { ...defaults, ...server.settings, ...changes };
      const { signal } = new AbortController();
      const directory: Directory = await connector.connect(settings, { signal, log: silent });
      open.push(directory);
      return directory;
    };
    const listed = async (directory: Directory) =>
      new Map((await Array.fromAsync(listAccounts(directory))).map((each) => [each.username, each]));
    const groupsOf = (account: AccountRecord | null | undefined) =>
      (account?.memberships?.group ?? []).map(({ name }) => name).sort();
    const configure = (attribute: string, value: string) =>
      server.tools.apply(
        server.folder,
        `dn: cn=config\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n`,
      );

    beforeAll(async () => {
      server = await start389();
    }, 120_000);
    afterAll(async () => {
      for (const { session } of open) await session.close();
      await server?.stop();
    });

    test('is recognized by its root DSE, unless the settings name another kind', async () => {
      expect((await connect()).kind.name).toBe('389ds');
      expect((await connect({ server: 'openldap' })).kind.name).toBe('openldap');
      await expect(connect({ server: 'novell' })).rejects.toThrow(
        '"server" must be auto, openldap, 389ds, ad',
      );
    });

    test('uses nsUniqueId as id', async () => {
      const id = await server.idOf('(uid=person.0)');
      expect(id).toMatch(/^([0-9a-f]{8}-){3}[0-9a-f]{8}$/);
      expect(await readAccount(await connect(), id)).toMatchObject({ id, username: 'person.0' });
    });

    test('follows groups in groups, in spite of a cycle', async () => {
      const directory = await connect();
      const flat = await connect({ nestedGroups: false });
      const id = await server.idOf('(uid=person.120)');
      const all = ['inner', 'middle', 'outer'];
      expect(groupsOf((await listed(directory)).get('person.120'))).toEqual(all);
      expect(groupsOf(await readAccount(directory, id))).toEqual(all);
      expect(groupsOf((await listed(flat)).get('person.120'))).toEqual(['inner']);
      expect(groupsOf(await readAccount(flat, id))).toEqual(['inner']);
      const removed = [{ id: await server.idOf('(cn=outer)') }];
      await expect(updateEntry(directory, { id }, { group: { added: [], removed } })).rejects.toThrow(
        'the account stays in outer through another group',
      );
    }, 60_000);

    test('lists only the groups that the filter selects, also through others', async () => {
      const groupFilter = '&(objectClass=groupOfNames)(!(cn=middle))';
      const directory = await connect({ groupFilter });
      const id = await server.idOf('(uid=person.120)');
      expect((await Array.fromAsync(listGroups(directory))).map(({ name }) => name)).not.toContain('middle');
      expect(groupsOf((await listed(directory)).get('person.120'))).toEqual(['inner', 'outer']);
      expect(groupsOf(await readAccount(directory, id))).toEqual(['inner', 'outer']);
      await expect(connect({ groupFilter: '(cn=' })).rejects.toThrow(
        '"groupFilter" is not a valid LDAP filter',
      );
    });

    test('counts members that are not listed as accounts, by the reason', async () => {
      const suffix = 'dc=acme,dc=example';
      const url = `ldap:///ou=people,${suffix}??one?(mail=person.1*)`;
      const hidden = `uid=hidden,ou=people,${suffix}`;
      await server.tools.apply(
        server.folder,
        [
          `dn: ${hidden}\nobjectClass: inetOrgPerson\nuid: hidden\ncn: Hidden\nsn: Hidden\naci: (targetattr = "*")(version 3.0; acl "hide"; deny (all) userdn = "ldap:///uid=reader,${suffix}";)\n`,
          `dn: cn=dynamic,ou=groups,${suffix}\nobjectClass: groupOfURLs\ncn: dynamic\nmemberURL: ${url}\n`,
          `dn: cn=some,ou=groups,${suffix}\nobjectClass: groupOfNames\ncn: some\nmember: ${hidden}\nmember: uid=reader,${suffix}\nmember: uid=gone,ou=people,${suffix}\nmember: cn=Directory Manager\n`,
          `dn: cn=closed,ou=groups,${suffix}\nobjectClass: groupOfNames\ncn: closed\nmember: uid=person.1,ou=people,${suffix}\naci: (targetattr = "member")(version 3.0; acl "close"; deny (all) userdn = "ldap:///uid=reader,${suffix}";)\n`,
        ].join('\n'),
      );
      const directory = await connect(server.weakSettings);
      const reports: Unseen[] = [];
      const unseen = (what: Unseen) => void reports.push(what);
      const groups = await Array.fromAsync(listGroups(directory));
      await Array.fromAsync(listAccounts(directory, { unseen }));
      const nameOf = (id: unknown) => groups.find((group) => group.id === id)?.name;
      expect(reports.map(({ id, rule, count }) => `${nameOf(id)}: ${count} ${rule}`).sort()).toEqual([
        'closed: 1 unreadable',
        'dynamic: 61 computed',
        'some: 1 filter',
        'some: 1 foreign',
        'some: 1 unreadable',
      ]);
      await server.tools.apply(
        server.folder,
        ['cn=dynamic,ou=groups', 'cn=some,ou=groups', 'cn=closed,ou=groups', 'uid=hidden,ou=people']
          .map((dn) => `dn: ${dn},${suffix}\nchangetype: delete\n`)
          .join('\n'),
      );
    });

    test('never lists a tombstone, even with a filter that matches all entries', async () => {
      const directory = await connect();
      const account = { id: 'ours', username: 'gone', email: 'gone@acme.example' };
      const { id } = await createEntry(directory, account, {});
      await server.tools.apply(server.folder, replica);
      await server.tools.apply(
        server.folder,
        'dn: uid=gone,ou=people,dc=acme,dc=example\nchangetype: delete\n',
      );
      expect(await server.tools.search('dc=acme,dc=example', '(objectClass=nsTombstone)', '1.1')).toContain(
        `dn: nsuniqueid=${id},uid=gone`,
      );
      const curious = await connect({
        userFilter: '(|(objectClass=nsTombstone)(objectClass=inetOrgPerson))',
      });
      expect((await listed(curious)).size).toBe(150);
      expect(await readAccount(curious, id)).toBeNull();
    }, 60_000);

    test('leaves out people whom FreeIPA has preserved or staged', async () => {
      const users = 'dc=acme,dc=example';
      const before = (await listed(await connect({ users }))).size;
      const provisioning = 'cn=accounts,cn=provisioning,dc=acme,dc=example';
      const container = (dn: string) => `dn: ${dn}\nobjectClass: nsContainer\n`;
      const person = (uid: string, below: string) =>
        `dn: uid=${uid},cn=${below},${provisioning}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${uid}\nsn: ${uid}\n`;
      await server.tools.apply(
        server.folder,
        [
          container('cn=provisioning,dc=acme,dc=example'),
          ...[provisioning, `cn=deleted users,${provisioning}`, `cn=staged users,${provisioning}`].map(
            container,
          ),
          `${person('preserved', 'deleted users')}nsAccountLock: TRUE\n`,
          person('staged', 'staged users'),
        ].join('\n'),
      );
      const directory = await connect({ users });
      expect((await listed(directory)).size).toBe(before);
      for (const uid of ['preserved', 'staged']) {
        const id = await server.idOf(`(uid=${uid})`);
        expect(await readAccount(directory, id)).toBeNull();
        await expect(setLocked(directory, id, false)).rejects.toThrow('no entry has the nsUniqueId');
      }
    });

    test('reads and writes members by class, and finds those with a number', async () => {
      const directory = await connect();
      const people = 'ou=people,dc=acme,dc=example';
      await server.tools.apply(
        server.folder,
        [
          `dn: cn=unique,ou=groups,dc=acme,dc=example\nobjectClass: groupOfUniqueNames\ncn: unique\nuniqueMember: uid=person.140,${people}#'0101'B\n`,
          `dn: cn=posix,ou=groups,dc=acme,dc=example\nobjectClass: posixGroup\ncn: posix\ngidNumber: 500\nmemberUid: person.140\n`,
        ].join('\n'),
      );
      const id = await server.idOf('(uid=person.140)');
      expect(groupsOf((await listed(directory)).get('person.140'))).toEqual(['posix', 'unique']);
      expect(groupsOf(await readAccount(directory, id))).toEqual(['posix', 'unique']);
      const refs = await Promise.all(
        ['posix', 'unique'].map(async (cn) => ({ id: await server.idOf(`(cn=${cn})`) })),
      );
      await updateEntry(directory, { id }, { group: { added: [], removed: refs } });
      expect(groupsOf((await listed(directory)).get('person.140'))).toEqual([]);
      await updateEntry(directory, { id }, { group: { added: refs, removed: [] } });
      expect(groupsOf(await readAccount(directory, id))).toEqual(['posix', 'unique']);
    });

    test('a lock that ends by itself leaves an account active, and one without an end does not', async () => {
      await configure('passwordLockout', 'on');
      const directory = await connect();
      const id = await server.idOf('(uid=person.6)');
      const { password } = await resetPassword(directory, id);
      const signsIn = () => server.witness.signsIn({ id }, password);
      for (let n = 0; n < 4; n++) expect(await server.witness.signsIn({ id }, 'wrong')).toBe(false);
      expect(await signsIn()).toBe(false);
      expect(await readAccount(directory, id)).toMatchObject({ status: 'active' });
      await setLocked(directory, id, false);
      expect(await signsIn()).toBe(true);
      await configure('passwordUnlock', 'off');
      for (let n = 0; n < 4; n++) expect(await server.witness.signsIn({ id }, 'wrong')).toBe(false);
      expect(await signsIn()).toBe(false);
      expect(await readAccount(directory, id)).toMatchObject({ status: 'suspended' });
      await setLocked(directory, id, false);
      expect(await readAccount(directory, id)).toMatchObject({ status: 'active' });
      expect(await signsIn()).toBe(true);
    }, 60_000);

    test('refuses a bind DN that may not read locks or members', async () => {
      const reader = await connect(server.weakSettings);
      const allow = (attributes: string, rights: string) =>
        server.tools.apply(
          server.folder,
          `dn: dc=acme,dc=example\nchangetype: modify\nreplace: aci\naci: (targetattr = "${attributes}")(version 3.0; acl "read"; allow (${rights}) userdn = "ldap:///all";)\n`,
        );
      const check = async () => connector.check?.(reader);
      await check();
      await allow('objectClass || cn || uid || nsUniqueId || member', 'read, search, compare');
      await expect(check()).rejects.toThrow('the bind DN may not read nsAccountLock of uid=person.0,');
      await expect(listed(reader)).rejects.toThrow('the bind DN may not read nsAccountLock of uid=person.0,');
      await allow('objectClass || cn || uid || nsUniqueId || nsAccountLock', 'read, search, compare');
      await expect(check()).rejects.toThrow('the bind DN may not read member of cn=red,');
      // Without the right to compare, the connector cannot find out.
      await allow('*', 'read, search');
      await check();
      await allow('*', 'read, search, compare');
    });

    test('ends with a sentence at the size limit of the server, in spite of pages', async () => {
      await configure('nsslapd-sizelimit', '60');
      await configure('nsslapd-pagedsizelimit', '60');
      const { settings, weakSettings } = server;
      expect((await listed(await connect(settings))).size).toBe(150);
      await expect(listed(await connect(weakSettings))).rejects.toThrow(
        'the server stopped at its size limit before the list was complete',
      );
    }, 60_000);

    test('says that the server requires TLS', async () => {
      await configure('nsslapd-require-secure-binds', 'on');
      await expect(connect()).rejects.toThrow(
        'the server accepts this only over TLS: use an ldaps:// URL or turn on startTls (code 13',
      );
    });

    test('ends a listing with one sentence if the server is killed', async () => {
      const [directory] = open;
      if (!directory) throw new Error('no connection is open');
      const list = async () => {
        for await (const group of listGroups(directory)) {
          expect(group.name).toBeTruthy();
          await server.kill();
          await Array.fromAsync(listAccounts(directory));
        }
      };
      await expect(list()).rejects.toThrow(/^the connection to [\d.:]+ failed \(.+\)$/);
    }, 60_000);
  },
);

/** Deleted entries become tombstones only in a replicated suffix. */
const replica = `dn: cn=replica,cn="dc=acme,dc=example",cn=mapping tree,cn=config
objectClass: nsDS5Replica
cn: replica
nsDS5ReplicaRoot: dc=acme,dc=example
nsDS5ReplicaId: 1
nsDS5ReplicaType: 3
nsDS5Flags: 1
nsDS5ReplicaBindDN: cn=nobody,cn=config
`;
