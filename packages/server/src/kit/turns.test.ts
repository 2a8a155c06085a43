import { expect, test } from 'vitest';
import { createHttp } from './http/server.ts';
import { createLogger } from './logger.ts';
import { takeTurns } from './turns.ts';

const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

test('starts one piece of work in each turn of the event loop, in order', async () => {
  const inTurn = takeTurns();
  const started: number[] = [];
  for (const piece of [1, 2, 3]) inTurn(() => started.push(piece));

  expect(started).toEqual([1]);
  await turnOfTheEventLoop();
  expect(started).toEqual([1, 2]);
  await turnOfTheEventLoop();
  expect(started).toEqual([1, 2, 3]);
});

test('starts work immediately when nothing else waits', async () => {
  const inTurn = takeTurns();
  const started: number[] = [];
  inTurn(() => started.push(1));
  await turnOfTheEventLoop();
  inTurn(() => started.push(2));

  expect(started).toEqual([1, 2]);
});

test('a request without a limit overtakes a burst of others', async () => {
  const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
  const handled: string[] = [];
  const route = (url: string, unlimited: { unlimited?: true }) =>
    http.get(url, { config: { access: 'public', ...unlimited } }, async () => {
      handled.push(url);
      return {};
    });
  route('/work', {});
  route('/health', { unlimited: true });
  await http.ready();

  await Promise.all(['/work', '/work', '/work', '/health'].map((url) => http.inject(url)));

  expect(handled.toSorted()).toEqual(['/health', '/work', '/work', '/work']);
  expect(handled.indexOf('/health')).toBeLessThan(2);
  await http.close();
});
