// @module-tag long
import { afterAll, expect, inject, test } from 'vitest';
import { openTestApp } from '../app.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { createWorld } from '../fuzz/world.ts';

// Each engine sends half of the 10,000 requests, with a seed of its own. `npm run fuzz` sends more.
const REQUESTS = 5_000;
const seed = inject('prepared').engine === 'pglite' ? 1 : 2;

const { app, database, close } = await openTestApp({ jobs: true, own: true });
afterAll(close);

test('answers thousands of generated requests without a 500', {
  timeout: 600_000,
}, async () => {
  // Every batch has an organization of its own: its requests may revoke, delete or deactivate anything.
  const { requests, operations, statuses, broken } = await fuzz(app.http, REQUESTS, seed, (batch) =>
    createWorld(app.http, database.db, batch),
  );

  expect(broken).toEqual([]);
  expect(requests).toBe(REQUESTS);
  expect(operations).toBeGreaterThan(100);
  // Enough requests must get past authentication and validation for the test to mean anything.
  const changes = (statuses[201] ?? 0) + (statuses[202] ?? 0) + (statuses[204] ?? 0);
  expect(statuses[200] ?? 0).toBeGreaterThan(REQUESTS / 10);
  expect(changes).toBeGreaterThan(REQUESTS / 100);
});
