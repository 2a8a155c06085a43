import { expect, test } from 'vitest';
import { barOf, type Period } from '../../history/periods.ts';
import { scaleFrom, shareOf, ticksOf } from './timeline-scale.ts';

const at = (text: string) => new Date(text).getTime();
const scale = { from: at('2026-01-01T00:00:00'), to: at('2026-02-10T00:00:00') };

function period(bounds: Partial<Period['bounds']>): Period {
  const none = { not_before: null, seen_from: null, seen_until: null, gone_by: null };
  return { bounds: { ...none, ...bounds } } as Period;
}

test('marks a time axis with at most eight round times', () => {
  expect(ticksOf(scale).map(({ label }) => label)).toEqual([
    'Jan 1',
    'Jan 8',
    'Jan 15',
    'Jan 22',
    'Jan 29',
    'Feb 5',
  ]);
  for (const days of [0.1, 1, 3, 10, 40, 200, 1000, 5000]) {
    const ticks = ticksOf({ from: scale.to - days * 86_400_000, to: scale.to });
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(9);
    expect(ticks.every((tick) => tick.at >= 0 && tick.at < 100)).toBe(true);
  }
});

test('keeps times outside the scale at its edges', () => {
  expect(shareOf(scale, at('2025-01-01T00:00:00'))).toBe(0);
  expect(shareOf(scale, at('2027-01-01T00:00:00'))).toBe(100);
  expect(shareOf(scale, (scale.from + scale.to) / 2)).toBe(50);
});

test('leaves space before the first moment', () => {
  const now = at('2026-02-10T00:00:00');
  expect(scaleFrom([at('2026-01-01T00:00:00')], now).from).toBeLessThan(at('2026-01-01T00:00:00'));
  expect(scaleFrom([], now).from).toBeLessThan(now);
});

test('draws the possible part around the certain part', () => {
  const bar = barOf(
    period({
      not_before: '2026-01-11T00:00:00',
      seen_from: '2026-01-16T00:00:00',
      seen_until: '2026-01-26T00:00:00',
      gone_by: '2026-01-31T00:00:00',
    }),
    scale,
  );
  expect(bar).toMatchObject({ left: 25, width: 50, isOpen: false });
  expect(bar?.certain?.left).toBeCloseTo(25);
  expect(bar?.certain?.width).toBeCloseTo(50);
});

test('draws a period without a known beginning or end up to the edges', () => {
  const bounds = { seen_from: '2026-01-11T00:00:00', seen_until: '2026-01-21T00:00:00' };
  expect(barOf(period(bounds), scale)).toMatchObject({ left: 0, width: 100, isOpen: true });
});

test('leaves out a period outside the scale', () => {
  const bounds = {
    not_before: '2025-01-01T00:00:00',
    seen_from: '2025-01-02T00:00:00',
    seen_until: '2025-01-03T00:00:00',
    gone_by: '2025-01-04T00:00:00',
  };
  expect(barOf(period(bounds), scale)).toBeUndefined();
});
