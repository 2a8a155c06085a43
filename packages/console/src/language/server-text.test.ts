import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueWords } from '../api/error.ts';
import { localTime } from '../kit/text/words.ts';
import { declareWords, serverText } from './server-text.ts';

const GERMAN = {
  invalid_field: '{problem} ({path})',
  string_too_long: 'Höchstens {most, plural, one {# Zeichen} other {# Zeichen}}',
  bad_row: '{problem}',
  began: 'Begann am {since}.',
  row_problems: '{problems}',
  row_nul: 'Die Zeile enthält ein NUL-Zeichen.',
  person_has_keys: 'Schlüssel: {names}.',
  task_ended: 'Stand: „{status}“',
  role_required: 'Nur für {roles}.',
  either: '{one} oder {other}',
};

beforeAll(() => {
  const messages = Object.entries(GERMAN).map(([code, text]) => [code, compileMessage(text)]);
  i18n.loadAndActivate({ locale: 'de', messages: Object.fromEntries(messages) });
});
afterAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const long = { code: 'string_too_long', values: { most: 5 }, text: 'At most 5 characters' };

test('translates a sentence by its code, with the sentences in it', () => {
  const values = { problem: long, path: 'name' };

  expect(serverText({ code: 'invalid_field', values, text: 'At most 5 characters (name)' })).toBe(
    'Höchstens 5 Zeichen (name)',
  );
});

test('joins texts with commas, and sentences with spaces', () => {
  const nul = { code: 'row_nul', values: {}, text: 'NUL.' };
  const problems = { code: 'row_problems', values: { problems: [nul, nul] }, text: 'NUL. NUL.' };

  expect(serverText({ code: 'person_has_keys', values: { names: ['a', 'b'] }, text: '' })).toBe(
    'Schlüssel: a, b.',
  );
  expect(issueWords({ code: 'bad_row', values: { problem: problems }, message: 'NUL. NUL.' })).toBe(
    'Die Zeile enthält ein NUL-Zeichen. Die Zeile enthält ein NUL-Zeichen.',
  );
});

test('shows times in the time zone and the words of the reader, in translated and in English sentences', () => {
  const since = '2026-11-30T20:53:57.256Z';
  const shown = localTime(new Date(since));
  expect(shown).not.toContain('T20');
  expect(serverText({ code: 'began', values: { since }, text: '' })).toBe(`Begann am ${shown}.`);
  expect(serverText({ code: 'unknown', values: { since }, text: `It began at ${since}.` })).toBe(
    `It began at ${shown}.`,
  );
});

test('has words for values that are codes, by their names, and in the sentences within', () => {
  const words: Record<string, string> = { completed: 'Abgeschlossen', owner: 'Inhaber' };
  const wordOf = (code: string) => words[code] ?? code;
  declareWords({ status: wordOf, roles: wordOf });
  const roles = { code: 'either', values: { one: 'owner', other: 'admin' }, text: 'owner or admin' };

  expect(serverText({ code: 'task_ended', values: { status: 'completed' }, text: '' })).toBe(
    'Stand: „Abgeschlossen“',
  );
  expect(serverText({ code: 'role_required', values: { roles }, text: '' })).toBe(
    'Nur für Inhaber oder admin.',
  );
  expect(serverText({ code: 'person_has_keys', values: { names: ['owner'] }, text: '' })).toBe(
    'Schlüssel: owner.',
  );
});

test('shows the words of the server for a code without a translation, and without a code', () => {
  expect(serverText({ code: 'newer_than_this', values: {}, text: 'New.' })).toBe('New.');
  expect(serverText({ code: 'toString', text: 'Odd.' })).toBe('Odd.');
  expect(serverText({ text: 'Old.' })).toBe('Old.');
});
