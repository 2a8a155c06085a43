import { expect, test } from 'vitest';
import { settingsOf } from './setting.ts';

test('lists required settings first, in the order in which the definition names them', () => {
  const text = { type: 'string', description: '' };
  const schema = {
    properties: {
      DB_HOST: text,
      DB_NAME: text,
      DB_PASSWORD: { ...text, writeOnly: true },
      DB_USERNAME: text,
    },
    required: ['DB_USERNAME', 'DB_PASSWORD', 'DB_HOST'],
  };
  expect(settingsOf(schema).map(({ name, required }) => [name, required])).toEqual([
    ['DB_USERNAME', true],
    ['DB_PASSWORD', true],
    ['DB_HOST', true],
    ['DB_NAME', false],
  ]);
});
