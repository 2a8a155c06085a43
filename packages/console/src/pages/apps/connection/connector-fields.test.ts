import { expect, test } from 'vitest';
import { valuesIn } from '../../../kit/form/field.ts';
import { changeOf, fieldsOf, storedIn } from './connector-fields.tsx';
import type { Setting } from './setting.ts';

const text = { type: 'string', description: '', required: false } as const;
const settings: Setting[] = [
  { ...text, name: 'url', required: true },
  { ...text, name: 'seats' },
  { name: 'tls', type: 'boolean', description: '', required: false, default: true },
  { ...text, name: 'token', writeOnly: true },
];
const fields = fieldsOf(settings);
const empty = valuesIn(fields);
const stored = valuesIn(
  fields,
  storedIn({ definition: null, settings: { url: 'https://a.example', seats: 'seat' } }),
);

test('begins with the defaults of flags, and sends only what was entered', () => {
  expect(empty).toEqual({
    definition: null,
    'settings:url': '',
    'settings:seats': '',
    'settings:tls': true,
    'secrets:token': '',
  });
  const values = { ...empty, 'settings:url': 'https://a.example', 'secrets:token': 't' };
  expect(changeOf(fields, values, empty)).toEqual({
    settings: { url: 'https://a.example' },
    secrets: { token: 't' },
  });
});

test('sends changes of a stored connector, and null for a setting that was emptied', () => {
  expect(changeOf(fields, stored, stored)).toEqual({ settings: {}, secrets: {} });
  const values = { ...stored, 'settings:seats': '', 'settings:tls': false };
  expect(changeOf(fields, values, stored).settings).toEqual({ seats: null, tls: false });
});

test('keeps spaces, which can be a separator', () => {
  expect(changeOf(fields, { ...stored, 'settings:seats': ' ' }, stored).settings).toEqual({ seats: ' ' });
});

test('sends null for a secret to remove, whatever was entered for it', () => {
  const values = { ...stored, 'secrets:token': 'typed before' };
  expect(changeOf(fields, values, stored, ['token'])).toEqual({ settings: {}, secrets: { token: null } });
});
