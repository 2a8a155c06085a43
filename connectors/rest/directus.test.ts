import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fixture, isInstalled } from './conformance-directus.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));

if (!isInstalled)
  console.warn(
    'Directus is not installed in GATEHOUSE_DIRECTUS_DIR, so its tests are skipped (npm install directus)',
  );

describe.skipIf(!isInstalled)('on Directus', () => {
  let stage: Awaited<ReturnType<typeof fixture.start>>;
  beforeAll(async () => {
    stage = await fixture.start();
  }, 150_000);
  afterAll(() => stage?.stop());

  async function load() {
    vi.stubEnv('REST_DEFINITION', String(stage.settings.definition));
    return (await import('./connector.ts')).connector;
  }

  test('lists users with their roles and policies', async () => {
    const { records } = await listAll({ connector: await load(), stage });
    const named = Object.fromEntries(
      (records.get('user') ?? []).map((user) => [(user as { email: string }).email, user]),
    );
    const [editors] = stage.grants;
    const memberships = { role: [{ id: stage.role }], policy: [editors?.ref] };
    expect(named).toMatchObject({
      'person1@example.com': { first_name: 'Person 1', status: 'active', memberships },
      'person3@example.com': { status: 'suspended', memberships },
      'person4@example.com': { status: 'inactive', memberships },
      'person20@example.com': { memberships: { role: [], policy: [] } },
      'admin@example.com': { memberships: { role: [{ id: expect.any(String) }], policy: [] } },
    });
    expect(records.get('policy')).toHaveLength(4);
    expect(records.get('role')).toEqual(
      expect.arrayContaining([
        { id: stage.role, name: 'Staff', risk: null },
        { id: expect.any(String), name: 'Administrator', risk: 'high' },
      ]),
    );
  }, 60_000);

  test('conforms', async () => {
    // Without `protocol.`, which depends little on the system and takes long.
    const only = ['static.', 'read.', 'write.'];
    const findings = await runConformance({ connector: await load(), file, stage, writing: true, only });
    const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
    expect(ids('failed'), asTable(findings)).toEqual([]);
    expect(ids('skipped'), asTable(findings)).toEqual(['read.outage-is-an-error']);
  }, 300_000);

  test('adds and removes roles', async () => {
    const [policy] = stage.grants;
    const grants = [{ slug: 'role', ref: { id: stage.role } }, ...(policy ? [policy] : [])];
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
