import {
  AlreadyExistsError,
  ConstraintViolationError,
  InsufficientAccessError,
  InvalidCredentialsError,
  NoSuchObjectError,
  type ResultCodeError,
  SizeLimitExceededError,
  UnknownStatusCodeError,
  UnwillingToPerformError,
} from 'ldapts';
import { describe, expect, test } from 'vitest';
import { asFailure, asTaskError } from './errors.ts';

const url = 'ldaps://dc1.acme.example';
const bind = (data: string) =>
  new InvalidCredentialsError(
    `80090308: LdapErr: DSID-0C090439, comment: AcceptSecurityContext error, data ${data}, v4563\0`,
  );

/** Messages in the form that Active Directory on Windows gives them, where it differs from Samba. */
describe('task errors', () => {
  test.each<[ResultCodeError, string, string]>([
    [
      new UnwillingToPerformError(
        '0000052D: SvcErr: DSID-031A12D2, problem 5003 (WILL_NOT_PERFORM), data 0\n\0',
      ),
      'INTERNAL_ERROR',
      'the new password does not meet the password policy of the domain (code 53: 0000052D: SvcErr: DSID-031A12D2, problem 5003 (WILL_NOT_PERFORM), data 0)',
    ],
    [
      new ConstraintViolationError('0000052d: AtrErr: DSID-03191083, #1'),
      'INTERNAL_ERROR',
      'the new password does not meet the password policy of the domain (code 19: 0000052d: AtrErr: DSID-03191083, #1)',
    ],
    [
      new AlreadyExistsError('00000524: UpdErr: DSID-031A11E2, problem 6005 (ENTRY_EXISTS), data 0'),
      'ACCOUNT_ALREADY_EXISTS',
      'an account with this user name already exists (code 68: 00000524: UpdErr: DSID-031A11E2, problem 6005 (ENTRY_EXISTS), data 0)',
    ],
    [
      new InsufficientAccessError(
        '00002098: SecErr: DSID-03150F94, problem 4003 (INSUFF_ACCESS_RIGHTS), data 0',
      ),
      'PERMISSION_DENIED',
      'the bind DN lacks the permission (code 50: 00002098: SecErr: DSID-03150F94, problem 4003 (INSUFF_ACCESS_RIGHTS), data 0)',
    ],
    [new NoSuchObjectError(''), 'ACCOUNT_NOT_FOUND', 'the entry or the base DN does not exist (code 32'],
  ])('%s', (error, code, message) => {
    expect(asTaskError(error)).toMatchObject({ code, message: expect.stringContaining(message) });
    // A failed read during a task has the same code.
    expect(asTaskError(asFailure(error, url))).toMatchObject({ code });
  });

  test('other errors are left to the runner', () => {
    expect(asTaskError(new Error('no route'))).toBeUndefined();
  });
});

describe('sentences', () => {
  test.each([
    ['525', 'Active Directory has no account with the bind DN'],
    ['52e', 'the bind DN or its password is wrong'],
    ['530', 'the account of the bind DN may not sign in at this time'],
    ['531', 'the account of the bind DN may not sign in from this computer'],
    ['532', 'the password of the bind DN has expired'],
    ['533', 'the account of the bind DN is disabled'],
    ['701', 'the account of the bind DN has expired'],
    ['773', 'the bind DN must change its password first'],
    ['775', 'the account of the bind DN is locked out'],
  ])('a bind rejected with data %s', (data, sentence) => {
    const { message, exit } = asFailure(bind(data), url);
    expect(message).toContain(`dc1.acme.example: ${sentence} (code 49: `);
    expect(exit).toBe(4);
  });

  test.each([
    [new SizeLimitExceededError(''), 'the server stopped at its size limit before the list was complete'],
    [new UnknownStatusCodeError(10, '0000202B: RefErr'), 'the server refers to another server for this'],
    [Object.assign(new Error(), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'was issued for another name'],
    [
      Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' }),
      'has expired: install a new one on the server',
    ],
    [Object.assign(new Error(), { code: 'CERT_NOT_YET_VALID' }), 'is not valid yet'],
  ])('%s', (error, sentence) => {
    expect(asFailure(error, url).message).toContain(sentence);
  });
});
