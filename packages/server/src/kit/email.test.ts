import { expect, test } from 'vitest';
import { isEmail } from './email.ts';

test.each([
  ...[
    'ada@acme.example',
    'ada.lovelace+work@acme.example',
    "o'brien@acme.example",
    'a_b-c%d/e@x',
    'a..b@x.example',
  ],
  ...['zoë@acme.example', 'ada@bücher.example', 'root@localhost', '!#$&*=?^`{|}~@x.example'],
])('%j is an email', (text) => expect(isEmail(text)).toBe(true));

test.each([
  ...['', 'ada', '@', 'ada@', '@acme.example', 'ada @acme.example', 'ada@acme .example', ' ada@acme.example'],
  ...[
    '<x@evil.example>',
    'Ada <ada@acme.example>',
    'ada@acme.example>',
    '<ada@acme.example',
    '"x"@acme.example',
  ],
  ...[
    'x@y.example,z@w.example',
    'x@y.example;z@w.example',
    'x@y,',
    'x@y@z.example',
    'mailto:ada@acme.example',
  ],
  ...[
    'ada@acme.example.',
    'ada@.acme.example',
    'ada@acme..example',
    'ada(comment)@acme.example',
    'ada@[127.0.0.1]',
  ],
  ...[
    'ada@acme.example\r\nBcc: eve@evil.example',
    'ada\n@acme.example',
    'ada\0@acme.example',
    'ada\u0085@x.example',
  ],
  ...[
    'ada\\@acme.example',
    'group:ada@acme.example;',
    `${'a'.repeat(65)}@acme.example`,
    `a@${'b'.repeat(256)}`,
  ],
])('%j is not an email', (text) => expect(isEmail(text)).toBe(false));

test('takes time in proportion to the length', () => {
  for (const piece of ['a', '.', 'a.', '@', '<']) {
    expect(isEmail(`a@${piece.repeat(1_000_000)}`)).toBe(false);
    expect(isEmail(piece.repeat(1_000_000))).toBe(false);
  }
});
