import { fileURLToPath } from 'node:url';
import { asTable, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fixture, isInstalled } from './conformance-rabbitmq.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));

if (!isInstalled)
  console.warn('RabbitMQ is not installed, so its tests are skipped (apt-get install rabbitmq-server)');

describe.skipIf(!isInstalled)('on RabbitMQ', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await fixture.start();
  }, 150_000);
  afterAll(() => stage?.stop());

  async function load() {
    vi.stubEnv('REST_DEFINITION', String(stage.settings.definition));
    return (await import('./connector.ts')).connector;
  }

  test('conforms', async () => {
    const findings = await runConformance({ connector: await load(), file, stage, writing: true });
    const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
    expect(ids('failed'), asTable(findings)).toEqual([]);
    expect(ids('skipped'), asTable(findings)).toEqual([
      'read.outage-is-an-error',
      'write.suspend',
      'write.unsuspend',
    ]);
  }, 400_000);

  test('adds and removes tags', async () => {
    const grants = ['monitoring', 'policymaker'].map((id) => ({ slug: 'tag', ref: { id } }));
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
