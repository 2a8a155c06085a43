import { fileURLToPath } from 'node:url';
import { asTable, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, expect, vi } from 'vitest';

const file = fileURLToPath(new URL('../connector.ts', import.meta.url));

/** Starts a system for the tests of a block. Returns a function that returns its stage. */
export function useStage<S extends Stage>(fixture: { start(): Promise<S> }, limitMs: number): () => S {
  let stage: S | undefined;
  beforeAll(async () => {
    stage = await fixture.start();
  }, limitMs);
  afterAll(() => stage?.stop());
  return () => stage as S;
}

/**
 * The checks for which no system of a test offers the condition: an outage, a listing without a part of its data, or one
 * that changes while it is read.
 */
const NOT_OFFERED = [
  'read.outage-is-an-error',
  'read.missing-memberships',
  'read.missing-status',
  'read.repeated-records',
  'read.changed-while-read',
  'read.missing-tail',
];

/** Loads the connector with the definition of a stage. */
export async function loadConnector({ settings }: Stage) {
  vi.stubEnv('REST_DEFINITION', String(settings.definition));
  return (await import('../connector.ts')).connector;
}

/**
 * Expects that no check fails, and that only these are skipped, in addition to those that no system allows. `only` limits
 * the checks.
 */
export async function expectConformance(stage: Stage, skipped: string[], only?: string[]) {
  const connector = await loadConnector(stage);
  const options = { connector, file, stage, writing: true };
  const findings = await runConformance(only === undefined ? options : { ...options, only });
  const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
  expect(ids('failed'), asTable(findings.filter(({ outcome }) => outcome === 'failed'))).toEqual([]);
  expect(ids('skipped'), asTable(findings)).toEqual([...NOT_OFFERED, ...skipped]);
}

/** Expects that these grants can be added and removed, once and twice. */
export async function expectGrants(stage: Stage, grants: NonNullable<Stage['grants']>) {
  const only = ['write.update-grants', 'write.update-twice'];
  const connector = await loadConnector(stage);
  const findings = await runConformance({
    connector,
    file,
    stage: { ...stage, grants },
    writing: true,
    only,
  });
  const passed = findings.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  expect(passed, asTable(findings)).toEqual(only);
}
