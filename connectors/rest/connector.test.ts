// @module-tag long

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fixture } from './test/conformance.ts';

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

test('conforms', { timeout: 300_000 }, async () => {
  const findings = await runConformance({ connector: await load(), file, stage, writing: true });
  const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
  expect(ids('failed'), asTable(findings.filter(({ outcome }) => outcome === 'failed'))).toEqual([]);
  expect(ids('skipped'), asTable(findings)).toEqual(['read.missing-status']);
});

test('reports last sign-ins, owners, attributes and risks', async () => {
  const { records } = await listAll({ connector: await load(), stage });
  expect(records.get('user')?.[0]).toMatchObject({
    last_sign_in_at: '2026-05-01T10:00:00Z',
    owner: 'owner@acme.example',
    attributes: { department: 'Sales', level: 3 },
  });
  expect(records.get('team')?.[0]).toMatchObject({ risk: 'high', owner: 'owner@acme.example' });
});

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

describe('the program', () => {
  /** Does not block: the application runs in this process. */
  const run = (args: string[], more: Record<string, string> = {}) =>
    new Promise<{ stdout: string; stderr: string; status: number }>((resolve) => {
      const env = { PATH: process.env.PATH, ...more };
      const child = execFile(process.execPath, [file, ...args], { env }, (_, stdout, stderr) =>
        resolve({ stdout, stderr, status: child.exitCode ?? -1 }),
      );
    });

  test('lists the settings of its definition', async () => {
    const { stdout, status } = await run(['help'], { REST_DEFINITION: String(stage.settings.definition) });
    expect(status).toBe(0);
    expect(stdout).toMatch(/BASE_URL +REST_BASE_URL +address of the directory/);
    expect(stdout).toMatch(/CLIENT_SECRET +REST_CLIENT_SECRET .*secret, not settable by a flag/);
  });

  test('finds the definition in a flag and in the file of settings', async () => {
    const flag = await run(['check', '--set', `definition=${stage.settings.definition}`]);
    expect(flag.stderr).toMatch(/"CLIENT_ID" is missing .*: set REST_CLIENT_ID/);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rest-'));
    try {
      const config = join(folder, 'settings.json');
      writeFileSync(config, JSON.stringify({ ...stage.settings, CLIENT_SECRET: 'wrong' }));
      const checked = await run(['check', '--config', config]);
      expect(checked.stderr).toMatch(/no token: POST .*\/token returned 401 \(invalid_client\)/);
      expect(checked.status).toBe(4);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('says what is missing or wrong', async () => {
    const missing = await run(['check']);
    expect(missing.stderr).toContain('REST_DEFINITION');
    expect(missing.status).toBe(2);
    const wrong = await run(['check'], { REST_DEFINITION: file });
    expect(wrong.stderr).toMatch(/connector.ts:\d+:\d+: /);
    expect(wrong.status).toBe(2);
  });
});
