import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runGatehouse } from '../../test/gatehouse.ts';

const grant = (resource: string, more = {}) => ({
  ...{ app_name: 'Payroll', account_email: 'ada@acme.example', slug: 'team', resource, resource_name: '' },
  ...{ source: { kind: 'request', label: 'REQ-1' }, ends_at: null, ended_at: null },
  ...more,
});
const pages = [
  [
    grant('red', { resource_name: 'Red', ends_at: '2027-01-01T00:00:00Z' }),
    grant('', { slug: null, resource: null, source: { kind: 'policy', label: null } }),
  ],
  [grant('blue', { ended_at: '2026-01-01T00:00:00Z' })],
];

let asked: string[];
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  asked.push(`${pathname}?${searchParams}`);
  const results = pages[searchParams.get('offset') === '0' ? 0 : 1];
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ count: 3, next: null, previous: null, results }));
});

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-grants-'));
  const { port } = server.address() as AddressInfo;
  env = { GATEHOUSE_URL: `http://127.0.0.1:${port}/org/acme`, GATEHOUSE_API_KEY: 'key' };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
});

test('grants lists all pages of the grants that fit the flags', async () => {
  const args = ['grants', '--kind', 'request', '--ends-before', '2027-02-01', '--status', 'ended'];
  const { stdout, stderr, code } = await runGatehouse(folder, args, { env });
  expect(code, stderr).toBe(0);
  expect(stdout).toBe(
    [
      'Payroll  ada@acme.example  team Red  until 2027-01-01T00:00:00Z  request: REQ-1',
      'Payroll  ada@acme.example  account   -                           policy',
      'Payroll  ada@acme.example  team blue  ended 2026-01-01T00:00:00Z  request: REQ-1',
      '',
    ].join('\n'),
  );
  const query = 'status=ended&kind=request&ends_before=2027-02-01&limit=200';
  expect(asked).toEqual([
    `/org/acme/api/grants/?${query}&offset=0`,
    `/org/acme/api/grants/?${query}&offset=2`,
  ]);
});

test('grants has a flag for each filter of the list', async () => {
  const flags = ['app', 'account', 'user', 'slug', 'resource', 'as-of', 'known-at'];
  await runGatehouse(folder, ['grants', ...flags.flatMap((flag) => [`--${flag}`, 'x'])], { env });
  const query = 'status=active&app=x&account=x&user=x&slug=x&resource=x&as_of=x&known_at=x';
  const sorted = [...new URL(asked[0] ?? '', 'http://x').searchParams].map(([name]) => name).sort();
  expect(sorted).toEqual([...new URLSearchParams(`${query}&limit=200&offset=0`).keys()].sort());
});

test('grants prints JSON, and refuses an unknown kind', async () => {
  const { stdout } = await runGatehouse(folder, ['grants', '--json'], { env });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(pages.flat());
  expect((await runGatehouse(folder, ['grants', '--kind', 'wish'], { env })).code).toBe(2);
});
