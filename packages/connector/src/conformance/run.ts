import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector } from '../define.ts';
import { reason } from '../errors.ts';
import type { Check, Group, Subject } from './check.ts';
import type { Stage } from './fixture.ts';
import { listChecks } from './lists.ts';
import { partialChecks } from './partial.ts';
import { protocolChecks } from './protocol.ts';
import { readChecks } from './read.ts';
import { shiftChecks } from './shifts.ts';
import { staticChecks } from './static.ts';
import { confirmedChecks } from './write/confirmed.ts';
import { faultChecks } from './write/faults.ts';
import { nameChecks } from './write/names.ts';
import { reachChecks } from './write/reach.ts';
import { taskChecks } from './write/tasks.ts';

export type Finding = {
  id: string;
  group: Group;
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
  detail: string;
  ms: number;
};

export const allChecks: readonly Check[] = [
  ...staticChecks,
  ...protocolChecks,
  ...readChecks,
  ...listChecks,
  ...shiftChecks,
  ...partialChecks,
  ...taskChecks,
  ...nameChecks,
  ...confirmedChecks,
  ...reachChecks,
  ...faultChecks,
];

export type ConformanceOptions = {
  connector: Connector;
  /** Absolute path of the connector's file. */
  file: string;
  stage: Stage;
  /** Lets the checks create, change and delete accounts on the stage. */
  writing: boolean;
  /** Runs only checks whose id starts with one of these. */
  only?: string[];
  onFinding?(finding: Finding): void;
};

/** Runs every applicable check on a connector, one after the other. */
export async function runConformance({
  connector,
  file,
  stage,
  writing,
  only,
  onFinding,
}: ConformanceOptions): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
  const subject: Subject = { connector, file, stage, writing, folder };
  const findings: Finding[] = [];
  try {
    for (const check of allChecks) {
      if (only && !only.some((prefix) => check.id.startsWith(prefix))) continue;
      const finding = await hold(check, subject);
      findings.push(finding);
      onFinding?.(finding);
    }
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hold({ id, group, title, skip, run }: Check, subject: Subject): Promise<Finding> {
  const began = performance.now();
  const finding = (outcome: Finding['outcome'], detail: string): Finding => {
    const ms = Math.round(performance.now() - began);
    return { id, group, title, outcome, detail, ms };
  };
  const why = skip?.(subject);
  if (why) return finding('skipped', why);
  try {
    await run(subject);
    return finding('passed', '');
  } catch (error) {
    return finding('failed', reason(error));
  }
}
