import { expect, test } from 'vitest';
import { countDecision, giveReason, MOST_A_MINUTE, needsReason, reasonOfBurst } from './pace.ts';

// The module remembers the last burst, so each test begins later than the one before.
let clock = 0;
const later = () => {
  clock += 10_000_000;
  return clock;
};

test('asks once per burst for a reason, and uses it until nobody has decided for a minute', () => {
  let now = later();
  for (let n = 0; n < MOST_A_MINUTE; n += 1) {
    expect(needsReason(now)).toBe(false);
    countDecision(now);
    now += 1000;
  }
  expect(needsReason(now)).toBe(true);
  expect(reasonOfBurst(now)).toBeNull();
  giveReason('I know the team.', now);
  expect(needsReason(now)).toBe(false);
  countDecision(now);
  expect(reasonOfBurst(now + 59_000)).toBe('I know the team.');
  expect(reasonOfBurst(now + 61_000)).toBeNull();
  expect(needsReason(now + 61_000)).toBe(false);
});

test('does not ask people who take their time', () => {
  const start = later();
  for (let now = start; now < start + 600_000; now += 3000) {
    expect(needsReason(now)).toBe(false);
    countDecision(now);
  }
});
