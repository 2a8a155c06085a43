// Sends generated requests to the whole service in this process: npm run fuzz -- [requests] [seed]. Uses an embedded
// database in a temporary folder. Exits with 1 if a request returned a 500 or was slower than a second.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#app.ts';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { createLogger } from '#kit/logger.ts';
import { type FuzzFailure, fuzz } from '#test/fuzz/fuzz.ts';
import { createWorld } from '#test/fuzz/world.ts';
import { secrets } from '#test/secrets.ts';

const [requests = 100_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!Number.isInteger(requests) || !Number.isInteger(seed) || requests < 1) {
  console.error('Usage: npm run fuzz -- [requests] [seed], both whole numbers.');
  process.exit(2);
}

const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-fuzz-'));
const database = await openDatabase({ url: undefined, dataDir });
await migrate(database);
const app = await createApp({
  database,
  secrets,
  logger: createLogger('silent'),
  publicUrl: undefined,
  trustProxy: false,
});
await app.startJobs();

console.log(`Sending ${requests} requests with seed ${seed}...`);
const start = performance.now();
const secondsSoFar = () => Math.round((performance.now() - start) / 1000);
const report = await fuzz(app.http, requests, seed, (batch) => {
  if (batch > 0 && batch % 20 === 0) console.log(`Batch ${batch} begins after ${secondsSoFar()} s.`);
  return createWorld(app.http, database.db, batch);
});
const seconds = secondsSoFar();
await app.close();
await database.close();
await rm(dataDir, { recursive: true, force: true });

const lines = ({ request, status, ms, answer }: FuzzFailure) =>
  `  ${status} after ${ms} ms: ${request.method} ${request.url.slice(0, 200)} ${request.payload?.slice(0, 300) ?? ''}\n    ${answer}`;
console.log(`${report.requests} requests over ${report.operations} operations in ${seconds} s.`);
console.log(
  `Statuses: ${Object.entries(report.statuses)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')}`,
);
console.log(`Slowest: ${report.slowestMs} ms.`);
for (const [title, failures] of [
  ['Returned a 500 or higher', report.broken],
  ['Slower than a second, three times in a row', report.slow],
] as const) {
  console.log(`${title}: ${failures.length}`);
  for (const failure of failures.slice(0, 20)) console.log(lines(failure));
}
process.exitCode = report.broken.length + report.slow.length === 0 ? 0 : 1;
