import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Connector, commands, Exit } from '@gatehouse/connector';
import {
  asTable,
  type Fixture,
  runConformance,
  startScriptedService,
} from '@gatehouse/connector/conformance';
import { afterAll, expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the connector of "Connect your app in 15 minutes" syncs as printed', async () => {
  const [, source = ''] = /```ts\n(.*?)```/s.exec(read('guides/connect-your-app.md')) ?? [];
  writeFileSync(join(folder, 'connector.ts'), source);
  writeFileSync(join(folder, 'staff.csv'), 'id,mail,team\n1,ada@acme.example,eng\n2,bob@acme.example,ops\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const service = await startScriptedService();
  const app = service.world.createApp('Staff').id;
  const reach = {
    GATEHOUSE_URL: service.url,
    GATEHOUSE_API_KEY: service.key,
    GATEHOUSE_APP: app,
    GATEHOUSE_STATE_DIR: folder,
  };
  const env = { ...process.env, ...reach, STAFF_FILE: join(folder, 'staff.csv') };
  await promisify(execFile)(process.execPath, [join(folder, 'connector.ts'), 'sync'], { env });
  await service.close();
  expect(service.world.inventory(app).person?.map(({ email }) => email)).toEqual([
    'ada@acme.example',
    'bob@acme.example',
  ]);
});

test('the connector of "The first connector in an hour" meets its conformance checks as printed', {
  timeout: 60_000,
}, async () => {
  const guide = read('start/connector-author.md');
  const [connector = '', conformance = ''] = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  const wiki = mkdtempSync(join(folder, 'wiki-'));
  writeFileSync(join(wiki, 'connector.ts'), connector);
  writeFileSync(join(wiki, 'conformance.ts'), conformance);
  symlinkSync(join(root, 'node_modules'), join(wiki, 'node_modules'));
  const { fixture } = (await import(join(wiki, 'conformance.ts'))) as { fixture: Fixture };
  const file = join(wiki, 'connector.ts');
  const module = (await import(file)) as { connector: Connector };
  const stage = await fixture.start();
  const findings = await runConformance({
    connector: module.connector,
    file,
    stage,
    writing: true,
    only: [
      'static',
      'read',
      'write.create',
      'write.update',
      'write.suspend',
      'write.delete',
      'write.unknown-id',
    ],
  });
  const outcomes = Object.groupBy(findings, ({ outcome }) => outcome);
  expect(outcomes.failed ?? [], asTable(findings)).toEqual([]);
  expect(outcomes.passed?.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['read.pages', 'write.create']),
  );
});

test('the reference names every command and every exit code', () => {
  const reference = read('guides/connectors.md');
  for (const command of [...Object.keys(commands), ...createProgram().commands.map((each) => each.name())]) {
    expect(reference).toContain(command);
  }
  for (const code of Object.values(Exit)) expect(reference).toContain(`| ${code} |`);
});
