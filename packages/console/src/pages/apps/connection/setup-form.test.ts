import { expect, test } from 'vitest';
import type { Connector } from './connector.ts';
import type { Setting } from './setting.ts';
import { changeOf, changesSettings, initialValues } from './setup-form.ts';

const text = { type: 'string', description: '', required: false } as const;
const settings: Setting[] = [
  { ...text, name: 'url', required: true },
  { ...text, name: 'seats' },
  { name: 'tls', type: 'boolean', description: '', required: false, default: true },
  { ...text, name: 'token', writeOnly: true },
];
const stored = { settings: { url: 'https://a.example', seats: 'seat' } } as unknown as Connector;

test('begins with the defaults of flags, and sends only what was entered', () => {
  const values = initialValues(settings, null);
  expect(values).toEqual({ settings: { url: '', seats: '', tls: true }, secrets: { token: '' } });
  values.settings.url = 'https://a.example';
  values.secrets.token = 't';
  expect(changeOf(settings, values, null)).toEqual({
    settings: { url: 'https://a.example' },
    secrets: { token: 't' },
  });
});

test('sends changes of a stored connector, and null for a setting that was emptied', () => {
  const values = initialValues(settings, stored);
  expect(changesSettings(settings, values, stored)).toBe(false);
  expect(changeOf(settings, values, stored)).toEqual({ settings: {}, secrets: {} });
  values.settings.seats = '';
  values.settings.tls = false;
  expect(changesSettings(settings, values, stored)).toBe(true);
  expect(changeOf(settings, values, stored).settings).toEqual({ seats: null, tls: false });
});

test('sends null for a secret to remove, whatever was entered for it', () => {
  const values = initialValues(settings, stored);
  values.secrets.token = 'typed before';
  expect(changeOf(settings, values, stored, ['token'])).toEqual({ settings: {}, secrets: { token: null } });
});
