import { expect, test } from 'vitest';
import { DomainError, notFound, refusals } from './errors.ts';
import { issue, problem, sentenceOf } from './issues.ts';
import { sentences } from './sentences.ts';

const sample = sentences({
  sample_plain: 'Nothing changed.',
  sample_named: "The type ''{name}'' isn't known.",
  sample_counted: '{count, plural, one {# group of {owner} is} other {# groups of {owner} are}} gone.',
  sample_nested: 'The key exceeds you. {excess}',
});

test('makes the English text of a sentence from its template', () => {
  expect(sample.sample_plain()).toEqual({ code: 'sample_plain', values: {}, text: 'Nothing changed.' });
  expect(sample.sample_named({ name: '{x} $& #' }).text).toBe("The type '{x} $& #' isn't known.");
  expect(sample.sample_counted({ count: 1, owner: 'Ada' }).text).toBe('1 group of Ada is gone.');
  expect(sample.sample_counted({ count: 0, owner: 'Ada' }).text).toBe('0 groups of Ada are gone.');
});

test('takes sentences as values', () => {
  const excess = [sample.sample_plain(), sample.sample_plain()];

  const said = sample.sample_nested({ excess });

  expect(said.text).toBe('The key exceeds you. Nothing changed. Nothing changed.');
  expect(said.values).toEqual({ excess });
});

test.each([
  ['sample_plain', 'Twice.', 'declared twice'],
  ['SampleCode', 'Text.', 'snake_case'],
  ['sample_open', 'A {name', 'not a message'],
  ['sample_quoted', "The type '{name}'", 'not a message'],
  ['sample_select', '{a, select, x {y} other {z}}', 'not a message'],
])('refuses to declare %s as %j', (code, template, why) => {
  expect(() => sentences({ [code]: template })).toThrow(why);
});

test('declares errors with their kinds', () => {
  const sampleRefusals = refusals({
    conflict: { sample_taken: 'Another one is named {name}.' },
    throttled: { sample_busy: 'Wait.' },
  });

  const error = sampleRefusals.sample_taken({ name: 'Ada' });

  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ code: 'conflict', message: 'Another one is named Ada.' });
  expect(error.sentence).toMatchObject({ code: 'sample_taken', values: { name: 'Ada' } });
  expect(sampleRefusals.sample_busy({ retryAfter: 7 })).toMatchObject({ code: 'throttled', retryAfter: 7 });
  expect(notFound('API key').sentence).toEqual({
    code: 'api_key_not_found',
    values: {},
    text: 'API key not found.',
  });
});

test('says what is wrong where', () => {
  const long = issue('name', 'string_too_long', 5);
  expect(long).toEqual({
    path: 'name',
    code: 'string_too_long',
    values: { most: 5 },
    message: 'String should have at most 5 characters',
  });
  expect(sentenceOf([long])).toMatchObject({
    code: 'invalid_field',
    values: { path: 'name', problem: { code: 'string_too_long', values: { most: 5 } } },
    text: 'String should have at most 5 characters (name)',
  });
  const why = sample.sample_plain();
  expect(sentenceOf([problem('', 'confirmation_required', why)])).toEqual({
    code: 'confirmation_required',
    values: { problem: why },
    text: 'Nothing changed.',
  });
});
