import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { isolated, partsOf, plainText, withCodes } from './hidden-characters.ts';

test.each([
  ['Read\u202eetirw', 'Read[U+202E]etirw'],
  ['Pay\u200broll', 'Pay[U+200B]roll'],
  ...[
    '\u202a',
    '\u202d',
    '\u2066',
    '\u2069',
    '\u200e',
    '\u200f',
    '\u061c',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
  ].map((hidden) => [`a${hidden}b`, `a[${codeOf(hidden)}]b`] as [string, string]),
  ...[
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u3164',
    '\u2028',
    '\u0000',
    '\u001b',
    '\u0085',
    '\u2800',
    '\ufe0f',
    '\ud800',
  ].map((hidden) => [`a${hidden}b`, `a[${codeOf(hidden)}]b`] as [string, string]),
  ['Admins 1\ufe0f', 'Admins 1[U+FE0F]'],
  ['#\ufe0eops', '#[U+FE0E]ops'],
  ['a\u{e0041}b', 'a[U+E0041]b'],
  ['a\nb\tc', 'a[U+000A]b[U+0009]c'],
  ['\u{1f3f4}\u{e0067}\u{e0062}\u{e0041}', '\u{1f3f4}[U+E0067][U+E0062][U+E0041]'],
])('shows what is hidden in %j', (text, shown) => expect(withCodes(text)).toBe(shown));

function codeOf(character: string) {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

test.each([
  ...[
    '',
    'Payroll',
    'Zoë',
    'Zoe\u0308',
    'Größe 5\u00a0m',
    '\u0448\u043a\u043e\u043b\u0430',
    '日本語',
    'שלום',
  ],
  // A family, a technician, a heart, a keycap, and the flags of Wales and of pirates.
  ...[
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
    '\u2764\ufe0f',
    '1\ufe0f\u20e3',
  ],
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  '\u{1f3f4}\u200d\u2620\ufe0f',
  // Persian, Hindi and Sinhala.
  ...[
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0915\u094d\u200d\u0937',
    '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
  ],
])('leaves %j as it is', (text) => expect(withCodes(text)).toBe(text));

test('keeps line breaks and tabs where they belong to the text', () => {
  expect(withCodes('a\r\nb\tc\u202e', { lines: true })).toBe('a\r\nb\tc[U+202E]');
});

test('leaves nothing hidden but joiners and variants, and loses nothing else', async () => {
  await assert(
    property(string({ unit: 'binary' }), (text) => {
      const parts = partsOf(text);
      const read = parts.map((part) =>
        'code' in part ? String.fromCodePoint(Number.parseInt(part.code.slice(2), 16)) : part.text,
      );
      expect(read.join('')).toBe(text);
      expect(withCodes(text)).not.toMatch(
        /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff\u00ad]/u,
      );
    }),
  );
});

test('isolates words from right to left, so that they do not reorder what is beside them', () => {
  expect(isolated('Granted: שלום עולם (1)')).toBe('Granted: \u2068שלום עולם\u2069 (1)');
  expect(plainText('a \u202e שלום')).toBe('a [U+202E] \u2068שלום\u2069');
  expect(isolated('Payroll')).toBe('Payroll');
});

test('takes time in proportion to the length', () => {
  for (const piece of [
    '\u202e',
    'a\u200d',
    '\u05d0',
    '\u05d0 ',
    '\u05d0.',
    '\u{e0067}',
    '\u{1f3f4}\u{e0067}',
  ]) {
    expect(plainText(piece.repeat(10_000)).length).toBeGreaterThan(9999);
    expect(plainText(`\u05d0${' '.repeat(100_000)}x`).length).toBeGreaterThan(100_000);
  }
});
