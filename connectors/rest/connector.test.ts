import { fileURLToPath } from 'node:url';
import { asTable, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fixture } from './conformance.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
let stage: Stage;
beforeAll(async () => {
  stage = await fixture.start();
});
afterAll(() => stage.stop());

async function load() {
  vi.stubEnv('REST_DEFINITION', String(stage.settings.definition));
  return (await import('./connector.ts')).connector;
}

test('conforms', async () => {
  const findings = await runConformance({ connector: await load(), file, stage, writing: true });
  const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
  expect(ids('failed'), asTable(findings)).toEqual([]);
  expect(ids('skipped'), asTable(findings)).toEqual([]);
}, 300_000);

test('adds and removes licenses', async () => {
  const grants = ['2', '3'].map((id) => ({ slug: 'plan', ref: { id } }));
  const only = ['write.update-grants', 'write.update-twice', 'write.resync-no-diff'];
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
