import { listAll } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { fixture, isInstalled } from './test/conformance-directus.ts';
import { expectConformance, expectGrants, loadConnector, useStage } from './test/tools.ts';

if (!isInstalled)
  console.warn(
    'Directus is not installed in GATEHOUSE_DIRECTUS_DIR, so its tests are skipped (npm install directus)',
  );

describe.skipIf(!isInstalled)('on Directus', () => {
  const stage = useStage(fixture, 150_000);

  test('lists users with their roles and policies', async () => {
    const { records } = await listAll({ connector: await loadConnector(stage()), stage: stage() });
    const named = Object.fromEntries(
      (records.get('user') ?? []).map((user) => [(user as { email: string }).email, user]),
    );
    const [editors] = stage().grants;
    const memberships = { role: [{ id: stage().role }], policy: [editors?.ref] };
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
        { id: stage().role, name: 'Staff', risk: null },
        { id: expect.any(String), name: 'Administrator', risk: 'high' },
      ]),
    );
  }, 60_000);

  test('conforms', async () => {
    // Without `protocol.`, which depends little on the system and takes long.
    const only = ['static.', 'read.', 'write.'];
    await expectConformance(stage(), [], only);
  }, 300_000);

  test('adds and removes roles', async () => {
    const [policy] = stage().grants;
    const grants = [{ slug: 'role', ref: { id: stage().role } }, ...(policy ? [policy] : [])];
    await expectGrants(stage(), grants);
  }, 120_000);
});
