// @module-tag servers
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAccounts, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { resetPassword, setLocked } from './tasks.ts';
import { available, startOpenLdap } from './test/conformance.ts';
import { connectTo } from './test/tools.ts';

const base = 'dc=acme,dc=example';
const policyDn = (cn: string) => `cn=${cn},ou=policies,${base}`;
const policy = (cn: string, ...lines: string[]) =>
  [
    `dn: ${policyDn(cn)}`,
    ...['objectClass: device', 'objectClass: pwdPolicy', `cn: ${cn}`, 'pwdAttribute: userPassword'],
    ...['pwdMaxFailure: 3', ...lines],
  ].join('\n');
const folder = `dn: ou=policies,${base}\nobjectClass: organizationalUnit\nou: policies`;
const passing = policy('passing', 'pwdLockout: TRUE', 'pwdLockoutDuration: 3600');
const permanent = policy('permanent', 'pwdLockout: TRUE', 'pwdLockoutDuration: 0');
const lenient = policy('lenient', 'pwdLockout: FALSE');

describe.skipIf(!available)('locks of OpenLDAP (needs slapd and ldap-utils)', () => {
  let stage: Awaited<ReturnType<typeof startOpenLdap>>;
  let directory: Directory;
  const dnOf = (n: number) => `uid=person.${n},ou=people,${base}`;
  const idOf = (n: number) => stage.idOf(`(uid=person.${n})`);
  const set = (n: number, attribute: string, value: string) =>
    stage.change(`dn: ${dnOf(n)}\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n`);
  /** The status in a listing and in the read of one account. */
  const statusOf = async (n: number) => {
    const id = await idOf(n);
    const listed = (await Array.fromAsync(listAccounts(directory))).find((each) => each.id === id);
    expect((await readAccount(directory, id))?.status).toBe(listed?.status);
    return listed?.status;
  };
  /** Locks an account as an attacker can. Returns whether its password still works. */
  async function guess(n: number): Promise<() => Promise<boolean>> {
    const { password } = await resetPassword(directory, await idOf(n));
    expect(await stage.signsIn(dnOf(n), password)).toBe(true);
    for (let wrong = 0; wrong < 4; wrong++) await stage.signsIn(dnOf(n), 'wrong');
    expect(await stage.search(`(uid=person.${n})`, 'pwdAccountLockedTime')).toContain('pwdAccountLockedTime');
    return () => stage.signsIn(dnOf(n), password);
  }

  beforeAll(async () => {
    const entries = [folder, passing, permanent, lenient].join('\n\n');
    stage = await startOpenLdap({ entries, policy: policyDn('passing') });
    directory = await connectTo(stage.settings);
  }, 60_000);
  afterAll(async () => {
    await directory?.session.close();
    await stage?.stop();
  });

  test('wrong passwords from outside leave an account active if the lock ends by itself', async () => {
    const signsIn = await guess(1);
    expect(await signsIn()).toBe(false);
    expect(await statusOf(1)).toBe('active');
  });

  test('a lock that only an administrator ends takes access away until it is unsuspended', async () => {
    await set(2, 'pwdPolicySubentry', policyDn('permanent'));
    const signsIn = await guess(2);
    expect(await statusOf(2)).toBe('suspended');
    await setLocked(directory, await idOf(2), false);
    expect(await statusOf(2)).toBe('active');
    expect(await signsIn()).toBe(true);
  });

  test('suspends for good in spite of a lock that ends, and unsuspends', async () => {
    const signsIn = await guess(3);
    await setLocked(directory, await idOf(3), true);
    expect(await statusOf(3)).toBe('suspended');
    expect(await signsIn()).toBe(false);
    await setLocked(directory, await idOf(3), false);
    expect(await statusOf(3)).toBe('active');
    expect(await signsIn()).toBe(true);
  });

  test('a lock that has ended, a password that must be changed, and a later end are active', async () => {
    await set(4, 'pwdAccountLockedTime', '20200101000000Z');
    await set(5, 'pwdReset', 'TRUE');
    await set(6, 'pwdEndTime', '29990101000000Z');
    expect([await statusOf(4), await statusOf(5), await statusOf(6)]).toEqual(['active', 'active', 'active']);
  });

  test('an account that has expired is inactive, and an unsuspension says that it stays so', async () => {
    await set(7, 'pwdEndTime', '20200101000000Z');
    expect(await statusOf(7)).toBe('inactive');
    await expect(setLocked(directory, await idOf(7), false)).rejects.toThrow(
      'the account is still inactive: it has expired',
    );
  });

  test('a suspension fails if the policy of the account ignores locks', async () => {
    await set(8, 'pwdPolicySubentry', policyDn('lenient'));
    await expect(setLocked(directory, await idOf(8), true)).rejects.toThrow(
      'the account is still active: its password policy may ignore locks',
    );
    expect(await statusOf(8)).toBe('active');
  });

  test('takes the only policy that it sees for the default one', async () => {
    const other = await startOpenLdap({
      entries: [folder, permanent].join('\n\n'),
      policy: policyDn('permanent'),
    });
    const session = await connectTo(other.settings);
    try {
      await other.change(
        `dn: ${dnOf(9)}\nchangetype: modify\nreplace: pwdAccountLockedTime\npwdAccountLockedTime: 20260101000000Z\n`,
      );
      const id = await other.idOf('(uid=person.9)');
      expect(await readAccount(session, id)).toMatchObject({ status: 'suspended' });
    } finally {
      await session.session.close();
      await other.stop();
    }
  }, 60_000);
});
