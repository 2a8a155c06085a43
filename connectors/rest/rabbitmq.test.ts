// @module-tag servers
import { describe, test } from 'vitest';
import { fixture, isInstalled } from './test/conformance-rabbitmq.ts';
import { expectConformance, expectGrants, useStage } from './test/tools.ts';

if (!isInstalled)
  console.warn('RabbitMQ is not installed, so its tests are skipped (apt-get install rabbitmq-server)');

describe.skipIf(!isInstalled)('on RabbitMQ', () => {
  const stage = useStage(fixture, 150_000);

  test('conforms', async () => {
    await expectConformance(stage(), ['write.suspend', 'write.unsuspend']);
  }, 400_000);

  test('adds and removes tags', async () => {
    const grants = ['monitoring', 'policymaker'].map((id) => ({ slug: 'tag', ref: { id } }));
    await expectGrants(stage(), grants);
  }, 120_000);
});
