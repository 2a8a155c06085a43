import type { TaskAccount } from '@gatehouse/connector';
import { Failure, isInstant, TaskError } from '@gatehouse/connector';
import { Attribute, Change, type Entry, EqualityFilter } from 'ldapts';
import { userNameRefusal } from '../../packages/protocol/src/user-names.ts';
import { groupClasses } from './group-classes.ts';
import { guidBytes, guidText } from './identifiers.ts';
import { all, bytes, first, type Session } from './session.ts';

/** The base DNs of a directory, and a session with it. */
export type Directory = {
  session: Session;
  kind: Kind;
  /** The root of the domain, where Active Directory is searched for nested groups. */
  root: string | undefined;
  users: string;
  groups: string;
  /** Groups below this DN are licenses. They hold the number of seats. */
  licenses: string | undefined;
  userFilter: string;
  groupFilter: string;
  nestedGroups: boolean;
  deliverTo: string | undefined;
};

export type Status = 'active' | 'inactive' | 'suspended';
/** The effect of a lock after wrong passwords. Undefined if the bind DN cannot find out. */
export type Lockout = 'passing' | 'permanent' | 'ignored' | undefined;

/** The differences between directory servers. */
export type Kind = {
  name: 'openldap' | '389ds' | 'ad';
  /** The attribute with the id, which, unlike a name, never changes. */
  id: string;
  username: string;
  people: string;
  groups: string;
  /** The attribute of a license group that holds the number of seats. */
  seats: string;
  /** The attribute with the DN of the person who is responsible for an entry. */
  owner: string;
  /** The attributes that tell when an account was last used, the best one first. Absent unless the server keeps them. */
  used: string[];
  /** The attributes that `status` and `lock` need, and the policy of the account. */
  state: string[];
  idOf(entry: Entry): string;
  /** Returns undefined if no entry can have the id. */
  byId(id: string): EqualityFilter | undefined;
  /** A lock that ends by itself leaves an account active (D64). */
  status(entry: Entry, lockout: Lockout): Status;
  lock(entry: Entry, locked: boolean): Change[];
  /** The changes that let an account sign in again after a password reset. */
  unlock: Change[];
  /** Returns the naming attribute, the user name and the attributes of a new account. */
  draft(account: TaskAccount, fullName: string): { rdn: string; username: string; attributes: Attribute[] };
};

export const attribute = (type: string, ...values: string[]) => new Attribute({ type, values });
export const set = (type: string, values: string[] | Buffer[]) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) });

/** An entry without an attribute that all have must end the list: a sync would remove the record or its status otherwise. */
function present<T>(value: T | undefined, { dn }: Entry, name: string): T {
  if (value === undefined) throw new Failure(`${dn} shows no ${name}: allow the bind DN to read it`);
  return value;
}

/** The value of `pwdAccountLockedTime` that locks an account permanently (draft-behera-ldap-password-policy). */
const lockedForGood = '000001010000Z';
/** Servers may write it with seconds. */
const isForGood = (time: string) => time.startsWith('00000101');
const isTrue = (value: Entry[string] | undefined) => first(value)?.toLowerCase() === 'true';

const standard = {
  username: 'uid',
  seats: 'businessCategory',
  owner: 'owner',
  groups: `(|${groupClasses.map((name) => `(objectClass=${name})`).join('')})`,
  draft({ username, email, last_name }: TaskAccount, fullName: string) {
    const uid = username || email;
    if (!uid)
      throw new TaskError('INTERNAL_ERROR', 'the task has neither username nor email to name the entry with');
    return {
      rdn: 'uid',
      username: uid,
      attributes: [
        attribute('objectClass', 'inetOrgPerson'),
        attribute('uid', uid),
        attribute('cn', fullName || uid),
        attribute('sn', last_name || uid),
      ],
    };
  },
};

export const openldap: Kind = {
  ...standard,
  name: 'openldap',
  id: 'entryUUID',
  people: '(objectClass=inetOrgPerson)',
  used: ['pwdLastSuccess', 'authTimestamp'],
  state: ['pwdAccountLockedTime', 'pwdEndTime', 'pwdPolicySubentry'],
  idOf: (entry) => present(first(entry.entryUUID), entry, 'entryUUID'),
  byId: (value) => new EqualityFilter({ attribute: 'entryUUID', value }),
  status({ pwdAccountLockedTime, pwdEndTime }, lockout) {
    const since = first(pwdAccountLockedTime);
    const isLocked =
      since !== undefined && (isForGood(since) ? lockout !== 'ignored' : lockout === 'permanent');
    if (isLocked) return 'suspended';
    return isOver(pwdEndTime) ? 'inactive' : 'active';
  },
  lock: (_, locked) => [set('pwdAccountLockedTime', locked ? [lockedForGood] : [])],
  unlock: [],
};

export const directoryServer: Kind = {
  ...standard,
  name: '389ds',
  id: 'nsUniqueId',
  people: '(|(objectClass=inetOrgPerson)(objectClass=nsPerson))',
  used: ['lastLoginTime'],
  // FreeIPA writes when an account expires.
  state: ['nsAccountLock', 'accountUnlockTime', 'krbPrincipalExpiration'],
  idOf: (entry) => present(first(entry.nsUniqueId), entry, 'nsUniqueId'),
  byId: (value) => new EqualityFilter({ attribute: 'nsUniqueId', value }),
  status({ nsAccountLock, accountUnlockTime, krbPrincipalExpiration }) {
    // The time 0 means that only an administrator ends the lock.
    if (isTrue(nsAccountLock) || timeOf(first(accountUnlockTime)) === 0) return 'suspended';
    return isOver(krbPrincipalExpiration) ? 'inactive' : 'active';
  },
  lock(entry, locked) {
    if (locked) return [set('nsAccountLock', ['true'])];
    return [
      set('nsAccountLock', []),
      ...(first(entry.accountUnlockTime)
        ? [set('accountUnlockTime', []), set('passwordRetryCount', [])]
        : []),
    ];
  },
  unlock: [],
};

const flags = { disabled: 0x2, lockedOut: 0x10, normal: 0x200 };
const controlOf = (entry: Entry): number =>
  Number(present(first(entry.userAccountControl), entry, 'userAccountControl'));
/** Unlike `lockoutTime`, this flag ends with the lock. */
export const isLockedOut = (entry: Entry): boolean =>
  (Number(first(entry['msDS-User-Account-Control-Computed'])) & flags.lockedOut) !== 0;
/** Active Directory counts 100 ns since 1601. */
const unixTime = (time: string | undefined) => Number(time) / 10_000 - 11_644_473_600_000;
/** The time 0 and the largest time both mean never. */
const hasPassed = (time: string | undefined) => Number(time ?? 0) > 0 && unixTime(time) < Date.now();

const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,]\d+)?(?:Z|([+-]\d\d)(\d\d)?)$/;

/** Returns a GeneralizedTime (RFC 4517) in ISO 8601. */
function instantOf(value: string | undefined): string | undefined {
  const [, year, month, day, hour, minute = '00', second = '00', hours, minutes = '00'] =
    generalizedTime.exec(value ?? '') ?? [];
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
  return isInstant(time) ? time : undefined;
}

function timeOf(value: string | undefined): number | undefined {
  const time = instantOf(value);
  return time === undefined ? undefined : Date.parse(time);
}

const isOver = (time: Entry[string] | undefined): boolean => (timeOf(first(time)) ?? Infinity) <= Date.now();

/** Returns when an account was last used, in ISO 8601: a time of Active Directory or a GeneralizedTime. */
export function lastUseOf({ used }: Kind, entry: Entry): string | undefined {
  const [value] = used.flatMap((name) => first(entry[name]) ?? []);
  if (value === undefined || generalizedTime.test(value)) return instantOf(value);
  return hasPassed(value) ? new Date(unixTime(value)).toISOString() : undefined;
}

export const activeDirectory: Kind = {
  name: 'ad',
  id: 'objectGUID',
  username: 'sAMAccountName',
  // Without computers, contacts, managed service accounts, trusts between domains, and the accounts of Kerberos.
  people:
    '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2048))(!(sAMAccountName=krbtgt))(!(sAMAccountName=krbtgt_*)))',
  groups: '(objectClass=group)',
  seats: 'info',
  owner: 'managedBy',
  used: ['lastLogonTimestamp'],
  state: ['userAccountControl', 'msDS-User-Account-Control-Computed', 'accountExpires'],
  idOf: (entry) => guidText(present(bytes(entry.objectGUID), entry, 'objectGUID')),
  byId(id) {
    const value = guidBytes(id);
    return value && new EqualityFilter({ attribute: 'objectGUID', value });
  },
  status(entry, lockout) {
    if (controlOf(entry) & flags.disabled) return 'suspended';
    if (isLockedOut(entry) && lockout === 'permanent') return 'suspended';
    return hasPassed(first(entry.accountExpires)) ? 'inactive' : 'active';
  },
  lock(entry, locked) {
    const now = controlOf(entry);
    const next = locked ? now | flags.disabled : now & ~flags.disabled;
    return [set('userAccountControl', [String(next)]), ...(locked ? [] : [set('lockoutTime', ['0'])])];
  },
  unlock: [set('lockoutTime', ['0'])],
  draft({ username, email }, fullName) {
    const name = username || email?.split('@')[0];
    if (!name)
      throw new TaskError('INTERNAL_ERROR', 'the task has neither username nor email to name the entry with');
    const refusal = userNameRefusal('active_directory', name);
    if (refusal !== undefined) throw new TaskError('INTERNAL_ERROR', refusal);
    return {
      rdn: 'CN',
      username: name,
      attributes: [
        attribute('objectClass', 'user'),
        attribute('sAMAccountName', name),
        attribute('displayName', fullName || name),
        attribute('userAccountControl', String(flags.normal)),
      ],
    };
  },
};

const kinds: Record<string, Kind> = { openldap, '389ds': directoryServer, ad: activeDirectory };
const activeDirectoryOid = '1.2.840.113556.1.4.800';

/** Returns the kind of a server as configured, or by its root DSE. Other servers are treated like OpenLDAP. */
export async function kindOf(session: Session, server: string): Promise<Kind> {
  if (server !== 'auto') {
    const kind = kinds[server];
    if (!kind)
      throw new Failure(`"server" must be auto, ${Object.keys(kinds).join(', ')}, but it is "${server}"`);
    return kind;
  }
  const root = await session.read('', ['supportedCapabilities', 'vendorName']);
  if (all(root?.supportedCapabilities).includes(activeDirectoryOid)) return activeDirectory;
  return /389|Red Hat|Fedora/i.test(first(root?.vendorName) ?? '') ? directoryServer : openldap;
}
