import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { startService } from '#test/service.ts';

test.runIf(inject('prepared').engine === 'postgres')(
  'admits 60 of 100 requests per minute with one key across two processes (D11)',
  async () => {
    const { options, remove } = await createTestDatabase();
    const first = await startService({ database: options });
    const second = await startService({ database: options, key: first.key });
    try {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          fetch(`${[first, second][index % 2]?.url}/org/acme/api/events/`, {
            headers: { authorization: `Api-Key ${first.key}` },
          }),
        ),
      );

      const of = (status: number) => answers.filter((answer) => answer.status === status);
      expect([of(200).length, of(429).length]).toEqual([60, 40]);
      expect(of(429).every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
      await remove();
    }
  },
);
