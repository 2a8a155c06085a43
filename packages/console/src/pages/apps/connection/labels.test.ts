import { expect, test } from 'vitest';
import { hasLines, sentence, settingAbout, settingLabel } from './labels.ts';

test.each([
  ['bindDn', 'Bind DN'],
  ['CLIENT_SECRET', 'Client secret'],
  ['API_URL', 'API URL'],
  ['DB_PASSWORD', 'DB password'],
  ['url', 'URL'],
])('labels the setting %s', (name, label) => {
  expect(settingLabel(name)).toBe(label);
});

test('finds settings with lines, and sentences', () => {
  expect(hasLines('ca')).toBe(true);
  expect(hasLines('PRIVATE_KEY')).toBe(true);
  expect(hasLines('TOKEN')).toBe(false);
  expect(settingAbout('')).toEqual({});
  expect(sentence('ldap:// or ldaps:// URL')).toBe('ldap:// or ldaps:// URL.');
  expect(sentence('host of the server')).toBe('Host of the server.');
});
