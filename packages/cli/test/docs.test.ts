import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { commands, Exit } from '@gatehouse/connector';
import { startScriptedService } from '@gatehouse/connector/conformance';
import { afterAll, expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the connector of "Connect your app in 15 minutes" syncs as printed', async () => {
  const [, source = ''] = /```ts\n(.*?)```/s.exec(read('connect-your-app.md')) ?? [];
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

test('the reference names every command and every exit code', () => {
  const reference = read('connectors.md');
  for (const command of [...Object.keys(commands), ...createProgram().commands.map((each) => each.name())]) {
    expect(reference).toContain(command);
  }
  for (const code of Object.values(Exit)) expect(reference).toContain(`| ${code} |`);
});
