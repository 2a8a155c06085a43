import { expect, test } from 'vitest';
import { known, looks } from './status.tsx';

test('gives each meaning its own icon and color', () => {
  const words = Map.groupBy(Object.values(known), ([look]) => look);
  for (const [look, all] of words) expect([...new Set(all.map(([, word]) => word))], look).toHaveLength(1);
  const icons = Object.values(looks).map(([icon]) => icon);
  expect(new Set(icons).size).toBe(icons.length);
});
