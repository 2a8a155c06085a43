import { expect, test } from 'vitest';
import { ALIASES, initialsOf, markNames } from './app-mark.ts';
import { MARKS } from './app-marks.ts';

test.each([
  ['Google Workspace', 'GW'],
  ['payroll', 'P'],
  ['Customer CRM (EU)', 'CC'],
  ['Ärzte-Portal', 'ÄP'],
  ['会計 システム', '会シ'],
  ['!', ''],
])('shows %s as %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('knows applications by the beginning of their names', () => {
  expect(markNames('Google Drive (EU)')).toEqual(['googledriveeu', 'googledrive', 'google']);
  expect(markNames('')).toEqual([]);
  for (const known of Object.values(ALIASES)) expect(MARKS).toHaveProperty(known);
});
