import { describe, expect, test } from 'vitest';
import { guidBytes, guidText, siblingSid } from './identifiers.ts';
import { lastUseOf, openldap } from './kinds.ts';

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

test('on OpenLDAP, only the fixed time means suspended; other times are lockouts', () => {
  const status = (pwdAccountLockedTime: string[]) => openldap.status({ dn: 'uid=a', pwdAccountLockedTime });
  expect(status([])).toBe('active');
  expect(status(['000001010000Z'])).toBe('suspended');
  expect(status(['20260101120000Z'])).toBe('inactive');
});

test.each([
  [{ pwdLastSuccess: ['20260102030405.123456Z'] }, '2026-01-02T03:04:05Z'],
  [{ authTimestamp: ['20260102030405Z'] }, '2026-01-02T03:04:05Z'],
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

test('an entry without an id ends the list', () => {
  expect(() => openldap.idOf({ dn: 'uid=a,dc=acme', entryUUID: [] })).toThrow(
    'uid=a,dc=acme shows no entryUUID: allow the bind DN to read it',
  );
});
