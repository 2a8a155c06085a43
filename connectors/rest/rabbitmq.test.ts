// @module-tag servers
import type { Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { fixture, isInstalled } from './conformance-rabbitmq.ts';
import { expectConformance, expectGrants } from './test-tools.ts';

if (!isInstalled)
  console.warn('RabbitMQ is not installed, so its tests are skipped (apt-get install rabbitmq-server)');

describe.skipIf(!isInstalled)('on RabbitMQ', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await fixture.start();
  }, 150_000);
  afterAll(() => stage?.stop());

  test('conforms', async () => {
    await expectConformance(stage, [
      'read.outage-is-an-error',
      'read.missing-memberships',
      'read.missing-status',
      'read.repeated-records',
      'read.changed-while-read',
      'read.missing-tail',
      'write.suspend',
      'write.unsuspend',
    ]);
  }, 400_000);

  test('adds and removes tags', async () => {
    const grants = ['monitoring', 'policymaker'].map((id) => ({ slug: 'tag', ref: { id } }));
    await expectGrants(stage, grants);
  }, 120_000);
});
