import { expect, test } from 'vitest';
import { defaultGuard, guardAgainst } from './guard.ts';

test.each([
  [{ accounts: 40, refs: 20 }, { accounts: 20, refs: 20 }, '20 of 40 active accounts'],
  [{ accounts: 40, refs: 20 }, { accounts: 40, refs: 0 }, '20 of 20 memberships and assignments'],
  [{ accounts: 40, refs: 20 }, { accounts: 35, refs: 18 }, undefined],
  [{ accounts: 0, refs: 0 }, { accounts: 40, refs: 20 }, undefined],
])('without a state, compares %j in the service with %j', async (held, now, verdict) => {
  const reading = async () => {
    throw new Error('a run key may not read accounts');
  };
  const known = {
    held,
    app: 'app',
    state: { knownRefs: () => undefined } as never,
    service: { listAccounts: reading } as never,
    log: { info: () => undefined } as never,
  };

  const seen = { ...now, fields: { had: {}, records: {} } };
  const found = await guardAgainst(defaultGuard, { accounts: {} } as never, seen, known);

  if (verdict === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(verdict);
});
