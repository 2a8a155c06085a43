// @module-tag long
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const people = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-million-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a service that only counts records, so that it does not run out of memory itself. */
function startCounter(atComplete: () => void) {
  const counted = { records: 0, completed: false };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, value?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(value === undefined ? undefined : JSON.stringify(value));
    };
    const { method, url = '' } = request;
    if (method === 'PUT') {
      const total = (body.match(/"id":"p\d/g) ?? []).length;
      counted.records += total;
      return answer(200, { total, created: total, updated: 0 });
    }
    if (url.endsWith('/resource-types/')) return answer(201, {});
    if (url.endsWith('/sync/')) return answer(201, { sync_id: 'a-session' });
    if (url.endsWith('/complete/')) {
      atComplete();
      counted.completed = true;
      return answer(202, {});
    }
    if (url.startsWith('/api/accounts')) return answer(403, { detail: 'no' });
    return answer(200, {
      sync_id: 'a-session',
      status: counted.completed ? 'completed' : 'in_progress',
      progress: [],
    });
  });
  return new Promise<{ url: string; counted: typeof counted; close(): void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}`, counted, close: () => server.close() });
    });
  });
}

const dist = join(folder, 'dist');
const connector = `
import { defineConnector, main } from ${JSON.stringify(join(dist, 'index.js'))};
export const connector = defineConnector({
  name: 'million', version: '1.0.0', config: {}, connect: () => null,
  groups: { team: { name: 'Teams', *list() { for (let n = 0; n < 1000; n++) yield { id: 'g' + n, name: 'Team ' + n }; } } },
  accounts: { person: { name: 'People', *list() {
    for (let n = 0; n < ${people}; n++) {
      const id = 'p' + String(n).padStart(35, '0');
      yield { id, email: 'person' + n + '@acme.example', memberships: { team: [{ id: 'g' + (n % 1000) }, { id: 'g' + ((n + 7) % 1000) }] } };
    }
  } } },
});
await main(connector, import.meta);
`;

/** Returns the peak resident memory of a process, as the kernel reports it. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

test.skipIf(process.platform !== 'linux')(
  'a million records pass through in under 150 MB (read from Linux /proc)',
  async () => {
    // Uses the built package: stripping the types of the sources takes another 40 MB.
    const builder = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));
    execFileSync(process.execPath, [builder, fileURLToPath(new URL('..', import.meta.url)), dist]);
    symlinkSync(
      fileURLToPath(new URL('../../../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    );
    const file = join(folder, 'connector.mjs');
    writeFileSync(file, connector);
    let peak = Number.NaN;
    let pid = 0;
    const service = await startCounter(() => {
      peak = peakMegabytes(pid);
    });
    const env = {
      ...process.env,
      GATEHOUSE_URL: service.url,
      GATEHOUSE_API_KEY: 'gh_some_key',
      GATEHOUSE_APP: 'app',
      GATEHOUSE_STATE_DIR: folder,
    };
    const child = spawn(process.execPath, [file, 'sync'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    pid = child.pid ?? 0;
    const [stderr, code] = await Promise.all([
      text(child.stderr),
      new Promise((resolve) => child.on('exit', resolve)),
    ]);
    service.close();
    expect(code, stderr).toBe(0);
    expect(service.counted.records).toBe(people);
    process.stderr.write(`peak resident memory of a sync of ${people} records: ${peak.toFixed(0)} MB\n`);
    expect(peak).toBeLessThan(150);
  },
  300_000,
);
