import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { connector } from './conformance/sample/connector.ts';
import { silent } from './progress.ts';
import { testConnector } from './trial.ts';

const stepsOf = async (open: () => Promise<unknown>) => {
  const { ok, steps } = await testConnector(
    { connector, signal: AbortSignal.timeout(10_000), log: silent },
    open,
  );
  return { ok, reach: steps[0], signIn: steps[1] };
};

test.each([
  ['an unknown host', () => lookup('no-such-host.invalid'), /^The host name "no-such-host.invalid" does not/],
  ['an invalid address', async () => new URL('no address'), /^Invalid URL/],
])('%s fails before the sign-in', async (_, open, message) => {
  expect(await stepsOf(open)).toMatchObject({
    ok: false,
    reach: { step: 'reach', status: 'failed', message: expect.stringMatching(message) },
    signIn: { step: 'sign_in', status: 'skipped' },
  });
});
