import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directory } from '../test/sample/directory.ts';

const connector = fileURLToPath(new URL('../test/sample/connector.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pipes-'));
// More than a pipe holds.
beforeAll(() => void Directory.create(join(folder, 'people.json'), 3000));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the sample connector and stops reading one of its streams. Returns how it ended, and what the other stream got. */
async function unread(closed: 'stdout' | 'stderr', file: string): Promise<{ code: unknown; other: string }> {
  const env = { ...process.env, SAMPLE_FILE: join(folder, file), SAMPLE_KEY: 'write' };
  const child = spawn(process.execPath, [connector, 'list'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let other = '';
  child[closed === 'stdout' ? 'stderr' : 'stdout'].on('data', (data) => {
    other += data;
  });
  if (closed === 'stderr') child.stderr.destroy();
  else child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, other };
}

test.each([
  ['stdout', 'people.json'],
  // The file does not exist, and nobody reads the error.
  ['stderr', 'nowhere.json'],
] as const)('a command whose %s nobody reads any more ends without a word', async (closed, file) => {
  expect(await unread(closed, file)).toEqual({ code: 141, other: '' });
});
