import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hueOf } from '../src/people/initials.ts';

const css = readFileSync(new URL('../src/apps/app-logo.module.css', import.meta.url), 'utf8');

test('has a contrast of at least 4.5 : 1 for each color of initials', () => {
  const hues = [...css.matchAll(/\[data-hue='(\d)'\] \{\s*background: (#[0-9a-f]{6})/g)];
  expect(hues.map(([, hue]) => Number(hue))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  for (const [, , color = ''] of hues) expect(1.05 / (luminance(color) + 0.05), color).toBeGreaterThan(4.5);
  const seen = new Set(Array.from({ length: 200 }, (_, n) => hueOf(`App ${n}`)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

/** The relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
