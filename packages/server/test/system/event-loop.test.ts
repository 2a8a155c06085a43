// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attacksOn } from '../attacks.ts';
import { createTestDatabase } from '../database.ts';
import { type Service, startService } from '../service.ts';

/** Sends the requests that once blocked the process. How long they hold its event loop: `npm run bench -- event-loop`. */
let service: Service;
let removeDatabase: () => Promise<void>;
const { attacks, openSession } = attacksOn(() => service);

beforeAll(async () => {
  const { options, remove } = await createTestDatabase();
  removeDatabase = remove;
  service = await startService({
    database: options,
    environment: { GATEHOUSE_RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  });
  await openSession();
});
afterAll(async () => {
  await service?.kill();
  await removeDatabase?.();
});

test.each(attacks)(
  'gets a reply, and the server goes on: %s',
  { timeout: 240_000 },
  async (_, expected, prepare) => {
    expect(expected).toContain(await prepare()());
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  },
);
