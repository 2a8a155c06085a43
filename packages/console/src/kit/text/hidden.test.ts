import { Autocomplete, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shownText, withCodesInText } from './hidden.ts';
import { jsx } from './jsx/jsx-runtime.ts';
import { readable } from './jsx/readable.ts';

const HIDDEN = 'Pay\u200broll';
const SHOWN = 'Pay[U+200B]roll';

test.each([
  ['Read\u2068\u202eetirw\u05d0\u2069', 'Read\u2068[U+202E]etirw\u05d0\u2069'],
  ['Pay\u2068\u200b\u05d0\u2069roll', 'Pay\u2068[U+200B]\u05d0\u2069roll'],
])('shows what is hidden in the isolated words of %j', (text, shown) => {
  expect(withCodesInText(text)).toBe(shown);
  expect(renderToStaticMarkup(shownText(text))).toContain('Hidden character U+20');
});

test('leaves words that a sentence has isolated as they are', () => {
  const text = 'Granted: \u2068\u05e9\u05dc\u05d5\u05dd\u2069 (1)';
  expect(withCodesInText(text)).toBe(text);
  expect(shownText(text)).toBe(text);
});

test.each([
  ['Select', Select],
  ['MultiSelect', MultiSelect],
])('a choice in a %s has its value, and a label with codes', (_, field) => {
  const option = { value: HIDDEN, label: SHOWN };
  const data = [HIDDEN, { value: HIDDEN, label: HIDDEN }, { group: HIDDEN, items: [HIDDEN] }, 'Sales'];

  const shown = readable(field, { data });

  expect(shown.data).toEqual([option, option, { group: SHOWN, items: [option] }, 'Sales']);
});

test.each([
  ['Autocomplete', Autocomplete],
  ['TagsInput', TagsInput],
])('a suggestion of %s stays what a choice stores', (_, field) => {
  const props = { data: [HIDDEN, 'Sales'] };
  expect(readable(field, props)).toBe(props);
});

test('shows it in the error of a field', () => {
  expect(readable(TextInput, { error: `${HIDDEN} does not exist.` }).error).toBe(`${SHOWN} does not exist.`);
});

test.each(['text', 'tspan'] as const)(
  'shows it within a picture, where <%s> can have text only',
  (element) => {
    expect(renderToStaticMarkup(jsx(element, { children: [HIDDEN, ' 2'] }, undefined))).toBe(
      `<${element}>${SHOWN} 2</${element}>`,
    );
  },
);
