import { refusals } from './errors.ts';
import { sentences } from './sentences.ts';

/** Where a condition or a template is invalid. */
export const celRefusals = refusals({
  invalid: {
    condition_invalid: 'The condition is invalid at line {line}, column {column}: {problem}.',
    template_invalid: 'The template is invalid at line {line}, column {column}: {problem}.',
  },
});

/** The problem at that place. */
export const celSentences = sentences({
  cel_empty: 'it is empty',
  cel_too_long: 'it has more than {most} characters',
  cel_too_many_parts: 'it has more than {most} parts',
  cel_nested_too_deeply: 'it is nested too deeply',
  cel_syntax: 'it does not parse',
  cel_parser: '{message}',
  cel_unknown_variable: 'the variable {name} does not exist',
  cel_unknown_function: 'the function {name} does not exist',
  cel_unknown_field: 'the field {field} does not exist',
  cel_unknown_field_of: 'the field {field} of {variable} does not exist',
  cel_no_messages: 'messages cannot be created',
  cel_nested_macro: 'a macro cannot contain another macro',
  cel_literal_pattern: 'matches requires a literal pattern',
  cel_not_boolean: 'the result is not true or false',
  cel_write: 'write {call}',
  cel_not_text: 'the result is not text',
});
