// @module-tag servers
import { type AccountRecord, silent, type Unseen } from '@gatehouse/connector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { listAccounts, listGroups, listLicenses, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { createEntry, deleteEntry, resetPassword, setLocked, updateEntry } from './tasks.ts';
import { available, startSamba } from './test/conformance-ad.ts';

// In this order: the last test kills the server, which takes long to start.
describe.skipIf(!available)(
  'on Samba (needs samba-ad-dc, ldb-tools, ldap-utils and root)',
  { shuffle: false },
  () => {
    let samba: Awaited<ReturnType<typeof startSamba>>;
    const open: Directory[] = [];
    const connect = async (changes: Record<string, unknown> = {}): Promise<Directory> => {
      const defaults = { server: 'auto', startTls: false, nestedGroups: true };
      const settings = { ...defaults, ...samba.settings, ...changes };
      const { signal } = new AbortController();
      const directory: Directory = await connector.connect(settings, { signal, log: silent });
      open.push(directory);
      return directory;
    };
    const listed = async (directory: Directory) =>
      new Map((await Array.fromAsync(listAccounts(directory))).map((each) => [each.username, each]));
    const groupsOf = (account: AccountRecord | null | undefined) =>
      (account?.memberships?.group ?? []).map(({ name }) => name).sort();
    const idOf = (name: string) => samba.idOf(`(sAMAccountName=${name})`);
    const created = async (directory: Directory, username: string, memberships = {}) =>
      createEntry(directory, { id: 'ours', username, email: `${username}@acme.example` }, memberships);

    beforeAll(async () => {
      samba = await startSamba();
    }, 180_000);
    afterAll(async () => {
      for (const { session } of open) await session.close();
      await samba?.stop();
    });

    test('reads a group with 2,000 members in ranges', async () => {
      const directory = await connect();
      const crowd = await directory.session.find(directory.groups, '(cn=crowd)', ['member;range=0-1499']);
      if (!crowd) throw new Error('there is no crowd');
      expect(crowd['member;range=0-1499']).toHaveLength(1500);
      expect(new Set(await directory.session.values(crowd, 'member')).size).toBe(2000);
      const people = await listed(directory);
      expect(people.size).toBe(150);
      expect([...people.values()].filter((each) => groupsOf(each).includes('crowd'))).toHaveLength(150);
    }, 60_000);

    test('lists memberships of nested groups, across other containers and in spite of a cycle', async () => {
      const nested = await connect();
      const flat = await connect({ nestedGroups: false });
      const id = await idOf('person.120');
      expect(groupsOf((await listed(nested)).get('person.120'))).toEqual(['crowd', 'inner', 'outer']);
      expect(groupsOf(await readAccount(nested, id))).toEqual(['crowd', 'inner', 'outer']);
      expect(groupsOf((await listed(flat)).get('person.120'))).toEqual(['crowd', 'inner']);
      expect(groupsOf(await readAccount(flat, id))).toEqual(['crowd', 'inner']);
    }, 60_000);

    test('lists only the groups that the filter selects, also through others', async () => {
      const directory = await connect({ groupFilter: '(&(objectClass=group)(!(cn=inner)))' });
      const id = await idOf('person.120');
      expect(groupsOf((await listed(directory)).get('person.120'))).toEqual(['crowd', 'outer']);
      expect(groupsOf(await readAccount(directory, id))).toEqual(['crowd', 'outer']);
    }, 60_000);

    test('reports that a nested membership cannot be removed directly', async () => {
      const directory = await connect();
      const account = { id: await idOf('person.120') };
      const changes = { group: { added: [], removed: [{ id: await idOf('outer') }] } };
      await expect(updateEntry(directory, account, changes)).rejects.toThrow(
        'the account stays in outer through another group or as its primary group: remove it there',
      );
    });

    test('lists the primary group, and reports that it cannot be removed', async () => {
      const directory = await connect();
      const id = await idOf('person.130');
      expect(await samba.value('(sAMAccountName=staff)', 'member')).toBeUndefined();
      expect(groupsOf((await listed(directory)).get('person.130'))).toEqual(['crowd', 'staff']);
      expect(groupsOf(await readAccount(directory, id))).toEqual(['crowd', 'staff']);
      const removed = [{ id: await idOf('staff') }];
      await expect(updateEntry(directory, { id }, { group: { added: [], removed } })).rejects.toThrow(
        'staff',
      );
      await updateEntry(directory, { id }, { group: { added: removed, removed: [] } });
    }, 60_000);

    test('lists people only, no computers, contacts, deleted objects or Kerberos accounts', async () => {
      const users = 'DC=ad,DC=acme,DC=example';
      const names = [...(await listed(await connect({ users }))).keys()];
      const others = names.filter((name) => !name?.startsWith('person.')).sort();
      // Samba's own account for DNS updates is an ordinary user.
      expect(others).toEqual(['Administrator', 'Guest', 'dns-dc1', 'reader', 'stranger']);
      expect(names).toHaveLength(155);
      const directory = await connect();
      const computer = await samba.idOf('(sAMAccountName=pc1$)');
      expect(await readAccount(directory, computer)).toBeNull();
    }, 60_000);

    test('counts members that are not listed as accounts, by the reason', async () => {
      const left = async (changes: Record<string, unknown> = {}) => {
        const directory = await connect(changes);
        const reports: Unseen[] = [];
        const unseen = (what: Unseen) => void reports.push(what);
        const groups = await Array.fromAsync(listGroups(directory, { unseen }));
        await Array.fromAsync(listAccounts(directory, { unseen }));
        const nameOf = (id: unknown) => groups.find((group) => group.id === id)?.name;
        return reports
          .map(({ slug, id, rule, count }) => `${id ? nameOf(id) : slug}: ${count} ${rule}`)
          .sort();
      };
      expect(await left()).toEqual([
        'crowd: 1850 class',
        'others: 1 filter',
        'others: 2 foreign',
        'others: 3 class',
        'parent: 1 filter',
        'parent: 2 foreign',
        'parent: 3 class',
      ]);
      await samba.hideMembers('blind');
      await samba.hide(40);
      const weak = await left(samba.weakSettings);
      expect(weak.filter((each) => each.includes('unreadable'))).toEqual([
        'blind: 1 unreadable',
        'crowd: 1 unreadable',
        'red: 1 unreadable',
      ]);
      // A search from the root refers to the partitions of the domain, which have no accounts.
      const all = await left({ users: 'DC=ad,DC=acme,DC=example', groupFilter: '(cn=others)' });
      expect(all).toEqual(['group: 8 filter', 'license: 1 filter', 'others: 2 foreign', 'others: 3 class']);
    }, 60_000);

    test('changes no built-in account, whatever the filter selects', async () => {
      const users = 'DC=ad,DC=acme,DC=example';
      const directory = await connect({ users, userFilter: '(objectClass=user)' });
      for (const name of ['Administrator', 'krbtgt']) {
        const id = await idOf(name);
        for (const task of [
          () => setLocked(directory, id, true),
          () => setLocked(directory, id, false),
          () => deleteEntry(directory, id),
          () => resetPassword(directory, id),
        ])
          await expect(task()).rejects.toMatchObject({
            code: 'PERMISSION_DENIED',
            message: expect.stringContaining(`${name} is a built-in account of the domain`),
          });
      }
    });

    test('takes the owner of a group from managedBy, unless it names another group', async () => {
      const groups = await Array.fromAsync(listGroups(await connect()));
      const ownerOf = (cn: string) => groups.find(({ name }) => name === cn)?.owner;
      expect([ownerOf('blue'), ownerOf('staff'), ownerOf('red')]).toEqual([
        'person.7@acme.example',
        undefined,
        undefined,
      ]);
    });

    test('takes seats from the notes of a license group', async () => {
      const [editor] = await Array.fromAsync(listLicenses(await connect()));
      expect(editor).toMatchObject({ name: 'editor', max_count: 20, used_count: 15 });
    });

    test('creates an enabled account, also if passwords are not delivered', async () => {
      const directory = await connect({ deliverTo: undefined });
      const { id, password } = await created(directory, 'silent');
      expect(password).toBeUndefined();
      expect(await samba.value('(sAMAccountName=silent)', 'userAccountControl')).toBe('512');
      expect(await readAccount(directory, id)).toMatchObject({ status: 'active', username: 'silent' });
    });

    test('keeps other flags of userAccountControl when it suspends', async () => {
      const directory = await connect();
      const id = await idOf('person.3');
      await setLocked(directory, id, true);
      expect(await samba.value('(sAMAccountName=person.3)', 'userAccountControl')).toBe('546');
      expect(await readAccount(directory, id)).toMatchObject({ status: 'suspended' });
      await setLocked(directory, id, false);
      expect(await samba.value('(sAMAccountName=person.3)', 'userAccountControl')).toBe('544');
    });

    test('a lock that ends by itself leaves an account active, and one for ever suspends it', async () => {
      const directory = await connect();
      const configure = (attribute: string, value: string) =>
        samba.tools.apply(
          samba.folder,
          `dn: DC=ad,DC=acme,DC=example\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n`,
        );
      await configure('lockoutThreshold', '3');
      const { id, password } = await created(directory, 'forgetful');
      const signsIn = (secret: string | undefined) =>
        samba.witness.signsIn({ username: 'forgetful' }, String(secret));
      const lockOut = async () => {
        for (let n = 0; n < 3; n++) expect(await signsIn('wrong')).toBe(false);
        expect(await signsIn(password)).toBe(false);
      };
      await lockOut();
      expect(await readAccount(directory, id)).toMatchObject({ status: 'active' });
      await configure('lockoutDuration', '-9223372036854775808');
      expect(await readAccount(directory, id)).toMatchObject({ status: 'suspended' });
      await setLocked(directory, id, false);
      expect(await readAccount(directory, id)).toMatchObject({ status: 'active' });
      expect(await signsIn(password)).toBe(true);
      await lockOut();
      expect(await signsIn((await resetPassword(directory, id)).password)).toBe(true);
    }, 60_000);

    test('lists an expired account as inactive, and says that an unsuspension does not change that', async () => {
      await samba.tools.apply(
        samba.folder,
        'dn: CN=person.4,OU=people,DC=ad,DC=acme,DC=example\nchangetype: modify\nreplace: accountExpires\naccountExpires: 132223104000000000\n',
      );
      const directory = await connect();
      expect(await readAccount(directory, await idOf('person.4'))).toMatchObject({ status: 'inactive' });
      await expect(setLocked(directory, await idOf('person.4'), false)).rejects.toThrow(
        'the account is still inactive: it has expired',
      );
    });

    test('sets no password without TLS, and creates nothing', async () => {
      const directory = await connect({ url: `ldap://${samba.address}` });
      const sentence =
        'Active Directory accepts passwords only over TLS: use an ldaps:// URL or turn on startTls';
      await expect(created(directory, 'plain')).rejects.toThrow(sentence);
      expect(await samba.value('(sAMAccountName=plain)', 'cn')).toBeUndefined();
      await expect(resetPassword(directory, await idOf('person.5'))).rejects.toThrow(sentence);
    });

    test('sets a password over StartTLS', async () => {
      const directory = await connect({ url: `ldap://${samba.address}`, startTls: true });
      const { password } = await created(directory, 'started');
      expect(await samba.witness.signsIn({ username: 'started' }, String(password))).toBe(true);
    });

    test('reports a taken user name, a missing base and an impossible user name', async () => {
      const directory = await connect();
      const elsewhere = await connect({ users: 'OU=elsewhere,DC=ad,DC=acme,DC=example' });
      const nowhere = await connect({ users: 'OU=nowhere,DC=ad,DC=acme,DC=example' });
      const code = (promise: Promise<unknown>) =>
        promise.then(
          () => 'none',
          (error: unknown) => connector.mapError?.(error)?.code ?? (error as { code: string }).code,
        );
      expect(await code(created(elsewhere, 'person.1'))).toBe('ACCOUNT_ALREADY_EXISTS');
      expect(await code(created(nowhere, 'nobody'))).toBe('INTERNAL_ERROR');
      await expect(created(directory, 'a.name.of.more.than.20')).rejects.toThrow('at most 20 characters');
      await expect(listed(nowhere)).rejects.toThrow('the entry or the base DN does not exist');
    });

    test('says why a bind is rejected', async () => {
      await expect(connect({ bindPassword: 'wrong' })).rejects.toThrow(
        /the bind DN or its password is wrong \(code 49: .*data 52e/,
      );
      const directory = await connect();
      const { id, password } = await created(directory, 'former');
      await setLocked(directory, id, true);
      const former = { bindDn: 'former@ad.acme.example', bindPassword: password };
      await expect(connect(former)).rejects.toThrow('the account of the bind DN is disabled');
    });

    test('does not trust a certificate of an unknown authority', async () => {
      await expect(connect({ caFile: undefined })).rejects.toThrow(
        `the certificate of ${samba.address} is not signed by a trusted authority: it is self-signed; set ca or caFile to the certificate of its CA`,
      );
    });

    test('ends a listing with one sentence if the server is killed', async () => {
      const directory = await connect();
      const list = async () => {
        for await (const group of listGroups(directory)) {
          expect(group.name).toBeTruthy();
          await samba.kill();
          await Array.fromAsync(listAccounts(directory));
        }
      };
      await expect(list()).rejects.toThrow(/^the connection to [\d.]+ failed \(.+\)$/);
    }, 60_000);
  },
);
