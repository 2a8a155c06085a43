// @module-tag servers
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startScriptedService } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount, findById, listAccounts, listGroups } from './directory.ts';
import { updateEntry } from './tasks.ts';
import { available, startOpenLdap } from './test/conformance.ts';
import { connectTo, syncInto } from './test/tools.ts';

const base = 'dc=acme,dc=example';
const dn = `uid=amanda,ou=people,${base}`;
const amanda = `dn: ${dn}
objectClass: inetOrgPerson
uid: amanda
cn: Amanda Lee
cn: A. Lee
sn: Lee
mail: n/a
mail: alex@acme.example
mail: a.lee@acme.example`;
const nobody = (n: number, mail: string) =>
  `dn: uid=nobody.${n},ou=people,${base}\nobjectClass: inetOrgPerson\nuid: nobody.${n}\ncn: N\nsn: N\nmail: ${mail}`;
const group = `dn: cn=Zebra,ou=groups,${base}
objectClass: groupOfNames
cn: Zebra
cn: Antelope
description: second
description: first
member: ${dn}`;
const entries = [amanda, nobody(1, 'n/a'), nobody(2, '-'), nobody(3, 'none'), group].join('\n\n');

describe.skipIf(!available)('attributes with several values (needs slapd and ldap-utils)', () => {
  let stage: Awaited<ReturnType<typeof startOpenLdap>>;
  let service: ScriptedService;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-values-'));
  beforeAll(async () => {
    stage = await startOpenLdap({ entries });
    service = await startScriptedService();
  }, 60_000);
  afterAll(async () => {
    await stage?.stop();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const have = (...mails: string[]) =>
    stage.change(
      `dn: ${dn}\nchangetype: modify\nreplace: mail\n${mails.map((mail) => `mail: ${mail}\n`).join('')}`,
    );

  test('find nobody for a name that two entries have', async () => {
    const twin = (name: string) =>
      `dn: cn=${name},ou=people,${base}\nobjectClass: inetOrgPerson\nuid: ${name}\nuid: shared\ncn: ${name}\nsn: Twin`;
    await stage.change(twin('one'));
    const directory = await connectTo(stage.settings);
    const find = () => findAccount(directory, { id: 'ours', username: 'Shared' });
    try {
      expect(await find()).toMatch(/^[0-9a-f-]{36}$/);
      await stage.change(twin('two'));
      await expect(find()).rejects.toThrow(
        /several entries have the uid Shared: [0-9a-f-]{36}, [0-9a-f-]{36}/,
      );
    } finally {
      await directory.session.close();
      for (const name of ['one', 'two'])
        await stage.change(`dn: cn=${name},ou=people,${base}\nchangetype: delete\n`);
    }
  });

  test('keep the value that was synced while it is among them, and otherwise take the first in order', async () => {
    const app = service.world.createApp('ldap').id;
    const synced = async () => {
      expect(await syncInto(service, app, folder, stage.settings)).toMatchObject({ code: 0 });
      const found = service.world.inventory(app).person?.find(({ username }) => username === 'amanda');
      expect(found).not.toHaveProperty('candidates');
      return found?.email;
    };
    await have('n/a', 'bea@acme.example', 'alex@acme.example');
    expect(await synced()).toBe('alex@acme.example');
    await have('alex@acme.example', 'bea@acme.example', 'n/a');
    expect(await synced()).toBe('alex@acme.example');
    await have('a.lee@acme.example', 'alex@acme.example');
    expect(await synced()).toBe('alex@acme.example');
    await have('zoe@acme.example', 'a.lee@acme.example', '-');
    expect(await synced()).toBe('a.lee@acme.example');
    await have('-');
    expect(await synced()).toBeUndefined();
  }, 60_000);

  test('do not depend on their order, and leave out texts that are not emails', async () => {
    await have('n/a', 'alex@acme.example', 'a.lee@acme.example');
    const directory = await connectTo(stage.settings);
    try {
      const accounts = new Map(
        (await Array.fromAsync(listAccounts(directory))).map((each) => [each.username, each]),
      );
      expect(accounts.get('amanda')).toMatchObject({ email: 'a.lee@acme.example', display_name: 'A. Lee' });
      for (const n of [1, 2, 3]) expect(accounts.get(`nobody.${n}`)?.email).toBeUndefined();
      expect(accounts.get('amanda')?.memberships?.group).toMatchObject([{ name: 'Antelope' }]);
      expect(await Array.fromAsync(listGroups(directory))).toContainEqual(
        expect.objectContaining({ name: 'Antelope', description: 'first' }),
      );
    } finally {
      await directory.session.close();
    }
  });

  test('lose none to a task that names one of them', async () => {
    const directory = await connectTo(stage.settings);
    try {
      const mails = ['n/a', 'alex@acme.example', 'a.lee@acme.example'];
      await have(...mails);
      const id = await stage.idOf('(uid=amanda)');
      await updateEntry(directory, { id, email: 'alex@acme.example' }, {});
      expect((await findById(directory, id))?.mail).toEqual(expect.arrayContaining(mails));
      await updateEntry(directory, { id, email: 'new@acme.example' }, {});
      expect((await findById(directory, id))?.mail).toBe('new@acme.example');
    } finally {
      await directory.session.close();
    }
  });
});
