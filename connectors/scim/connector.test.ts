import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scim } from './client.ts';
import { connector } from './connector.ts';
import { createUser } from './tasks.ts';
import { fixture as scimmy } from './test/conformance.ts';
import { fixture as betterAuth } from './test/conformance-better-auth.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));

describe.each([
  { server: 'scimmy-routers', fixture: scimmy, keepsPasswords: true, keepsTitles: true, tags: ['long'] },
  { server: '@better-auth/scim', fixture: betterAuth, keepsPasswords: false, keepsTitles: false, tags: [] },
])('on $server', ({ fixture, keepsPasswords, keepsTitles, tags }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await fixture.start();
  });
  afterAll(() => stage.stop());

  // How a run bears faults of the service is the same for each connector: conformance.test.ts shows it with the sample.
  test('reads and writes as the kit demands', { tags, timeout: 180_000 }, () =>
    conforms({ only: ['static', 'protocol.clean-run', 'protocol.resync-no-diff', 'read', 'write'] }),
  );
  test('conforms', { tags: ['long'], timeout: 180_000 }, () => conforms({}));

  async function conforms(only: { only?: string[] }) {
    const findings = await runConformance({ connector, file, stage, writing: true, ...only });
    const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
    expect(ids('failed'), asTable(findings.filter(({ outcome }) => outcome === 'failed'))).toEqual([]);
    expect(ids('skipped')).toEqual(
      keepsPasswords
        ? ['read.missing-status', 'read.members-changed-while-read']
        : [
            'read.missing-memberships',
            'read.missing-status',
            'read.repeated-records',
            'read.missing-tail',
            'read.changed-while-read',
            'read.groups-changed-while-read',
            'read.members-changed-while-read',
            'read.partial-account',
            'read.partial-member',
            'read.partial-group',
            'write.reset-password',
            'write.name-refused',
          ],
    );
  }

  test('reports titles and types of users as attributes', async () => {
    const users = (await listAll({ connector, stage })).records.get('user') ?? [];
    expect(users.find((user) => 'username' in user && user.username === 'person1')).toMatchObject({
      attributes: keepsTitles ? { title: 'Engineer', user_type: 'Contractor' } : {},
    });
  });

  test('adds and removes entitlements', async () => {
    const grants = ['pro', 'team'].map((id) => ({ slug: 'entitlement', ref: { id } }));
    const only = ['write.update-grants', 'write.update-twice', 'write.resync-no-diff'];
    const entitled = { ...stage, grants };
    const findings = await runConformance({ connector, file, stage: entitled, writing: true, only });
    const passed = findings.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    expect(passed, asTable(findings)).toEqual(only);
  });

  test('delivers a password only if the server stores one', async () => {
    const account = stage.newAccount?.(1_000_000);
    if (!account) throw new Error('the stage has no account to create');
    const { id, password } = await createUser(stage.settings as Scim, account, {});
    expect(await stage.witness?.exists(id)).toBe(true);
    expect(typeof password).toBe(keepsPasswords ? 'string' : 'undefined');
    if (password) expect(await stage.witness?.signsIn?.({ ...account, id }, password)).toBe(true);
  });
});
