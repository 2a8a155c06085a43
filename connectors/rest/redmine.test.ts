// @module-tag servers
import { listAll } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { fixture, isInstalled } from './test/conformance-redmine.ts';
import { expectConformance, expectGrants, loadConnector, useStage } from './test/tools.ts';

if (!isInstalled)
  console.warn('Redmine is not installed, so its tests are skipped (apt-get install redmine-sqlite puma)');

describe.skipIf(!isInstalled)('on Redmine', () => {
  const stage = useStage(fixture, 330_000);

  test('lists locked and registered users, groups and administrators', async () => {
    const { records } = await listAll({ connector: await loadConnector(stage()), stage: stage() });
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
    // The conformance tests leave theirs behind.
    expect(Object.keys(named).filter((name) => !/^new\d+$/.test(name))).toHaveLength(113);
  }, 60_000);

  test('conforms', async () => {
    // Without `protocol.`, which depends little on the system and takes long.
    const only = ['static.', 'read.', 'write.'];
    await expectConformance(stage(), [], only);
  }, 300_000);

  test('makes users administrators', async () => {
    const grants = [
      { slug: 'role', ref: { id: 'administrator' } },
      { slug: 'group', ref: { id: '901' } },
    ];
    await expectGrants(stage(), grants);
  }, 120_000);
});
