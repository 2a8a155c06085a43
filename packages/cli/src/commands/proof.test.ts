import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runGatehouse } from '../../test/gatehouse.ts';

const link = (step: string, state: string, more = {}) => ({
  ...{ step, state, at: null, by: null, label: `It is ${state}.` },
  ...more,
});
const proof = {
  links: [
    link('decided', 'done', { at: '2026-11-01T08:00:00.000Z', by: { email: 'ada@acme.example' } }),
    link('seen_gone', 'waiting'),
  ],
};

test('proof prints a line for each link, or JSON', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(proof));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-proof-'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const env = { GATEHOUSE_URL: `http://127.0.0.1:${port}/org/acme`, GATEHOUSE_API_KEY: 'key' };

  const { stdout, stderr, code } = await runGatehouse(folder, ['proof', 't1'], { env });
  expect(code, stderr).toBe(0);
  expect(stdout.split('\n').map((line) => line.trim())).toEqual([
    'decided    done     2026-11-01T08:00:00.000Z  It is done.     ada@acme.example',
    'seen_gone  waiting  -                         It is waiting.',
    '',
  ]);
  expect(asked).toEqual(['/org/acme/api/tasks/t1/proof/']);
  const json = await runGatehouse(folder, ['proof', 't1', '--json'], { env });
  expect(JSON.parse(json.stdout)).toEqual(proof);
});
