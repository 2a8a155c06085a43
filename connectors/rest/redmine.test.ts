import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fixture, isInstalled } from './conformance-redmine.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));

if (!isInstalled)
  console.warn('Redmine is not installed, so its tests are skipped (apt-get install redmine-sqlite puma)');

describe.skipIf(!isInstalled)('on Redmine', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await fixture.start();
  }, 330_000);
  afterAll(() => stage?.stop());

  async function load() {
    vi.stubEnv('REST_DEFINITION', String(stage.settings.definition));
    return (await import('./connector.ts')).connector;
  }

  test('lists locked and registered users, groups and administrators', async () => {
    const { records } = await listAll({ connector: await load(), stage });
    const named = Object.fromEntries(
      (records.get('user') ?? []).map((user) => [(user as { username: string }).username, user]),
    );
    const sales = [{ id: '901', name: 'Sales' }];
    expect(named).toMatchObject({
      person1: {
        email: 'person1@acme.example',
        display_name: 'person1 Person',
        status: 'active',
        memberships: { group: sales, role: [] },
      },
      person13: { status: 'suspended', memberships: { group: sales } },
      person14: { status: 'inactive', memberships: { group: sales } },
      person2: { status: 'active', memberships: { group: [] } },
      keeper: { status: 'active', memberships: { group: [], role: [{ id: 'administrator' }] } },
    });
    expect(Object.keys(named)).toHaveLength(113);
  }, 60_000);

  test('conforms', async () => {
    // Without `protocol.`, which depends little on the system and takes long.
    const only = ['static.', 'read.', 'write.'];
    const findings = await runConformance({ connector: await load(), file, stage, writing: true, only });
    const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
    expect(ids('failed'), asTable(findings)).toEqual([]);
    expect(ids('skipped'), asTable(findings)).toEqual(['read.outage-is-an-error']);
  }, 300_000);

  test('makes users administrators', async () => {
    const grants = [
      { slug: 'role', ref: { id: 'administrator' } },
      { slug: 'group', ref: { id: '901' } },
    ];
    const only = ['write.update-grants', 'write.update-twice'];
    const findings = await runConformance({
      connector: await load(),
      file,
      stage: { ...stage, grants },
      writing: true,
      only,
    });
    const passed = findings.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    expect(passed, asTable(findings)).toEqual(only);
  }, 120_000);
});
