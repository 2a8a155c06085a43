import { expect, test } from 'vitest';
import { createLogger } from '../logger.ts';
import type { TrustProxy } from './proxies.ts';
import { createHttp } from './server.ts';

/** Returns the caller's address as the server sees it. The proxy is 10.0.0.1; the caller sent `forwarded` to it. */
async function addressOf(trustProxy: TrustProxy, forwarded: string, remoteAddress = '10.0.0.1') {
  const http = createHttp({ logger: createLogger('silent'), trustProxy });
  http.get('/ip', { config: { access: 'public' } }, async ({ ip }) => ({ ip }));
  const answer = await http.inject({
    url: '/ip',
    remoteAddress,
    headers: { 'x-forwarded-for': forwarded },
  });
  await http.close();
  return answer.json().ip;
}

test('ignores X-Forwarded-For without trusted proxies', async () => {
  expect(await addressOf(false, '198.51.100.7')).toBe('10.0.0.1');
});

test.each([
  ['one proxy', 1, '198.51.100.7'],
  ['one proxy and a made-up address', 1, '203.0.113.1, 198.51.100.7'],
  ['two proxies and made-up addresses', 2, '203.0.113.1, 203.0.113.2, 198.51.100.7, 10.0.0.2'],
  ['the proxies of a network and made-up addresses', ['10.0.0.0/8'], '10.9.9.9, 198.51.100.7, 10.0.0.2'],
] as const)("reads the caller's address behind %s", async (_, trustProxy, forwarded) => {
  expect(await addressOf(typeof trustProxy === 'number' ? trustProxy : [...trustProxy], forwarded)).toBe(
    '198.51.100.7',
  );
});

test('ignores the header of a caller that bypasses the listed proxies', async () => {
  expect(await addressOf(['10.0.0.0/8'], '203.0.113.1', '198.51.100.7')).toBe('198.51.100.7');
});
