import { describe, expect, test } from 'vitest';
import { guidBytes, guidText, siblingSid } from './identifiers.ts';
import {
  activeDirectory,
  directoryServer,
  type Kind,
  type Lockout,
  lastUseOf,
  openldap,
  type Status,
} from './kinds.ts';

const computed = 'msDS-User-Account-Control-Computed';

const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const text = '33221100-5544-7766-8899-aabbccddeeff';

describe('objectGUID', () => {
  test('has its first three groups in reverse byte order', () => {
    expect(guidText(bytes)).toBe(text);
    expect(guidBytes(text)).toEqual(bytes);
  });

  test('is not any text', () => {
    for (const other of ['', 'no such id', text.slice(1), `{${text}}`])
      expect(guidBytes(other)).toBeUndefined();
  });
});

test('the SID of a primary group ends with its relative id', () => {
  const sid = Buffer.from('010500000000000515000000419269a53bd9db51709ea7274f040000', 'hex');
  expect(siblingSid(sid, 513).toString('hex')).toBe(
    '010500000000000515000000419269a53bd9db51709ea72701020000',
  );
  expect(sid.readUInt32LE(24)).toBe(1103);
});

const past = '20200101000000Z';
const future = '29990101000000Z';
const neverExpires = '9223372036854775807';
const year2020 = '132223104000000000';
const year2999 = '446000000000000000';

test.each<[string, Kind, Lockout, Record<string, string>, Status]>([
  ['nothing', openldap, undefined, {}, 'active'],
  ['the fixed time', openldap, undefined, { pwdAccountLockedTime: '000001010000Z' }, 'suspended'],
  [
    'the fixed time with seconds',
    openldap,
    'passing',
    { pwdAccountLockedTime: '00000101000000Z' },
    'suspended',
  ],
  ['the fixed time', openldap, 'ignored', { pwdAccountLockedTime: '000001010000Z' }, 'active'],
  ['a lock', openldap, undefined, { pwdAccountLockedTime: past }, 'active'],
  ['a lock', openldap, 'passing', { pwdAccountLockedTime: past }, 'active'],
  ['a lock', openldap, 'permanent', { pwdAccountLockedTime: past }, 'suspended'],
  ['an end that has passed', openldap, undefined, { pwdEndTime: past }, 'inactive'],
  ['an end to come', openldap, undefined, { pwdEndTime: future }, 'active'],
  ['nothing', directoryServer, undefined, {}, 'active'],
  ['the lock of an administrator', directoryServer, undefined, { nsAccountLock: 'TRUE' }, 'suspended'],
  ['a removed lock', directoryServer, undefined, { nsAccountLock: 'false' }, 'active'],
  ['a lock with an end to come', directoryServer, undefined, { accountUnlockTime: future }, 'active'],
  ['a lock that has ended', directoryServer, undefined, { accountUnlockTime: past }, 'active'],
  [
    'a lock without an end',
    directoryServer,
    undefined,
    { accountUnlockTime: '19700101000000Z' },
    'suspended',
  ],
  ['an expiry', directoryServer, undefined, { krbPrincipalExpiration: past }, 'inactive'],
  ['an expiry to come', directoryServer, undefined, { krbPrincipalExpiration: future }, 'active'],
  ['wrong passwords', directoryServer, undefined, { passwordRetryCount: '9' }, 'active'],
  ['the flag for disabled', activeDirectory, undefined, { userAccountControl: '514' }, 'suspended'],
  ['a lock', activeDirectory, 'passing', { userAccountControl: '512', [computed]: '16' }, 'active'],
  ['a lock', activeDirectory, undefined, { userAccountControl: '512', [computed]: '16' }, 'active'],
  ['a lock', activeDirectory, 'permanent', { userAccountControl: '512', [computed]: '16' }, 'suspended'],
  [
    'a lock that has ended',
    activeDirectory,
    'permanent',
    { lockoutTime: year2020, [computed]: '0' },
    'active',
  ],
  [
    'a password that must be changed',
    activeDirectory,
    undefined,
    { pwdLastSet: '0', [computed]: '8388608' },
    'active',
  ],
  ['an expiry', activeDirectory, undefined, { accountExpires: year2020 }, 'inactive'],
  ['an expiry to come', activeDirectory, undefined, { accountExpires: year2999 }, 'active'],
  ['no expiry', activeDirectory, undefined, { accountExpires: '0' }, 'active'],
  ['no expiry', activeDirectory, undefined, { accountExpires: neverExpires }, 'active'],
])('reads the status of an account with %s', (_, kind, lockout, attributes, status) => {
  expect(kind.status({ dn: 'uid=a', userAccountControl: '512', ...attributes }, lockout)).toBe(status);
});

test.each([
  [{ pwdLastSuccess: ['20260102030405.123456Z'] }, '2026-01-02T03:04:05Z'],
  [{ authTimestamp: ['20260102030405Z'] }, '2026-01-02T03:04:05Z'],
  [{ authTimestamp: ['2026010203Z'] }, '2026-01-02T03:00:00Z'],
  [{ authTimestamp: ['20260102030405-0130'] }, '2026-01-02T03:04:05-01:30'],
  [{ authTimestamp: ['2026010203.5+01'] }, '2026-01-02T03:00:00+01:00'],
  [{ pwdLastSuccess: ['20260102030405Z'], authTimestamp: ['20250102030405Z'] }, '2026-01-02T03:04:05Z'],
  [{ pwdLastSuccess: ['20261302030405Z'] }, undefined],
  [{ pwdLastSuccess: ['soon'] }, undefined],
  [{}, undefined],
])('reads the last use of an entry with %j', (attributes, expected) => {
  expect(lastUseOf(openldap, { dn: 'uid=a', ...attributes })).toBe(expected);
});

test.each([
  ['134117966450000000', '2026-01-02T03:04:05.000Z'],
  ['0', undefined],
  ['9223372036854775807', undefined],
])('reads the last logon %s of Active Directory', (time, expected) => {
  const kind = { ...openldap, used: ['lastLogonTimestamp'] };
  expect(lastUseOf(kind, { dn: 'cn=a', lastLogonTimestamp: [time] })).toBe(expected);
});

test('an account of Active Directory without its flags ends the list', () => {
  const entry = { dn: 'cn=a', userAccountControl: [] };
  const sentence = 'cn=a shows no userAccountControl: allow the bind DN to read it';
  expect(() => activeDirectory.status(entry, undefined)).toThrow(sentence);
  expect(() => activeDirectory.lock(entry, true)).toThrow(sentence);
});

test('an entry without an id ends the list', () => {
  expect(() => openldap.idOf({ dn: 'uid=a,dc=acme', entryUUID: [] })).toThrow(
    'uid=a,dc=acme shows no entryUUID: allow the bind DN to read it',
  );
});
