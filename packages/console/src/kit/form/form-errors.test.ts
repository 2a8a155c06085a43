import { expect, test } from 'vitest';
import { ApiError, issueWords } from '../../api/error.ts';
import { formErrors } from './form-errors.ts';

const refused = (...errors: { path: string; code?: string; message: string }[]) =>
  new ApiError(400, 'The first message.', null, { detail: 'The first message.', errors });
const onScreen = new Set(['name', 'approval_steps.1.approvers', 'reason']);

test('shows each error at its field', () => {
  const error = refused(
    { path: 'name', message: 'Field required' },
    { path: 'approval_steps[1].approvers', message: 'List should have at least 1 item' },
  );

  expect(formErrors(error, onScreen)).toEqual({
    fields: {
      name: 'Field required',
      'approval_steps.1.approvers': 'List should have at least 1 item',
    },
    general: undefined,
  });
});

test('shows the error of a list element at the field of the list', () => {
  const error = refused({ path: 'approval_steps[1].approvers[3]', message: 'Input should be a valid UUID' });

  expect(formErrors(error, onScreen).fields).toEqual({
    'approval_steps.1.approvers': 'Input should be a valid UUID',
  });
});

test('takes the words of an error in English from the server', () => {
  const message = 'String should have at least 12 characters';
  expect(formErrors(refused({ path: 'name', code: 'string_too_short', message }), onScreen).fields).toEqual({
    name: message,
  });
  expect(issueWords({ code: 'bad_row', message: 'Line 3 has no email.' })).toBe('Line 3 has no email.');
});

test('joins the errors of one field', () => {
  const error = refused({ path: 'name', message: 'Too long' }, { path: 'name', message: 'Not a name' });

  expect(formErrors(error, onScreen).fields).toEqual({ name: 'Too long; Not a name' });
});

test('renames paths of the API to form fields', () => {
  const error = refused({ path: 'initial_comment', message: 'Field required' });

  const { fields } = formErrors(error, onScreen, (path) => (path === 'initial_comment' ? 'reason' : path));

  expect(fields).toEqual({ reason: 'Field required' });
});

test('shows errors of fields that are not on screen as the general message', () => {
  const error = refused(
    { path: 'name', message: 'Field required' },
    { path: 'owner', message: 'Input should be a valid UUID' },
  );

  expect(formErrors(error, onScreen)).toEqual({
    fields: { name: 'Field required' },
    general: 'Input should be a valid UUID (owner)',
  });
});

test.each([
  ['the detail of a reply without errors', new ApiError(409, 'The app is archived.'), 'The app is archived.'],
  ['the detail if no field is on screen', refused({ path: 'owner', message: 'x' }), 'The first message.'],
  ['the message of any other error', new Error('Broken.'), 'Broken.'],
])('shows %s as the general message', (_what, error, general) => {
  expect(formErrors(error, onScreen)).toEqual({ fields: {}, general });
});
