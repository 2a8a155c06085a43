import type { Entry } from 'ldapts';
import { nameOf } from './dn.ts';
import { type Directory, isLockedOut, type Lockout, type Status } from './kinds.ts';
import { all, first } from './session.ts';

/** Returns a function that reads the status of an account, with the rules of the server about locks after wrong passwords. */
export async function statusIn(directory: Directory): Promise<(entry: Entry) => Promise<Status>> {
  const { kind } = directory;
  const lockoutOf = await lockoutsOf[kind.name](directory);
  return async (entry) => kind.status(entry, await lockoutOf(entry));
}

type Lockouts = (directory: Directory) => Promise<(entry: Entry) => Lockout | Promise<Lockout>>;

const lockoutsOf: Record<Directory['kind']['name'], Lockouts> = {
  openldap,
  ad: activeDirectory,
  // Its accounts say themselves when a lock ends.
  '389ds': async () => () => undefined,
};

/**
 * An account names its policy, or has the default one, which only the configuration of the server names. So all policies that
 * the bind DN can read may be the default one, and count if they agree.
 */
async function openldap({ session }: Directory) {
  const policies = new Map<string, Lockout>();
  const root = await session.lookUp('', '(objectClass=*)', ['namingContexts']);
  for (const base of all(root?.namingContexts))
    for (const policy of await session.lookThrough(base, '(objectClass=pwdPolicy)', policyAttributes))
      policies.set(nameOf(policy.dn), effectOf(policy));
  const effects = new Set(policies.values());
  const [agreed] = effects.size === 1 ? effects : [];
  return (entry: Entry) => {
    const own = first(entry.pwdPolicySubentry);
    return own === undefined ? agreed : policies.get(nameOf(own));
  };
}

const policyAttributes = ['pwdLockout', 'pwdLockoutDuration'];

/** Without `pwdLockout`, OpenLDAP ignores every lock. Without a duration, a lock lasts until an administrator ends it. */
function effectOf({ pwdLockout, pwdLockoutDuration }: Entry): Lockout {
  if (first(pwdLockout)?.toUpperCase() !== 'TRUE') return 'ignored';
  return Number(first(pwdLockoutDuration) ?? 0) > 0 ? 'passing' : 'permanent';
}

/** Durations of Active Directory are negative. 0 and the longest one last until an administrator ends the lock. */
const forever = new Set(['0', '-9223372036854775808']);
const lasting = (duration: string | undefined): Lockout =>
  duration === undefined ? undefined : forever.has(duration) ? 'permanent' : 'passing';

/** The policy of the domain, unless the account has one of its own, which few may read. */
async function activeDirectory({ session, root }: Directory) {
  const domain = root === undefined ? undefined : await session.read(root, ['lockoutDuration']);
  const ofDomain = lasting(first(domain?.lockoutDuration));
  return async (entry: Entry): Promise<Lockout> => {
    // Active Directory computes the policy of an account, so only those of locked ones are asked for.
    if (!isLockedOut(entry)) return undefined;
    const own = first((await session.read(entry.dn, ['msDS-ResultantPSO']))?.['msDS-ResultantPSO']);
    if (own === undefined) return ofDomain;
    const policy = await session.lookUp(own, '(objectClass=*)', ['msDS-LockoutDuration']);
    return lasting(first(policy?.['msDS-LockoutDuration']));
  };
}
