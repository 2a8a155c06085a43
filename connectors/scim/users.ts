import {
  type AccountRecord,
  type Attributes,
  type LicenseRecord,
  type ListContext,
  type Ref,
  type TaskAccount,
  TaskError,
  unreported,
  type Wanted,
} from '@gatehouse/connector';
import { quoted, type Resource, read, resources, type Scim, text } from './client.ts';
import { membershipsIn, readMemberships } from './memberships.ts';

export type Account = AccountRecord<'group', 'entitlement'>;
type Value = { value?: string; display?: string; primary?: boolean };

const values = (resource: Resource, name: string): Value[] =>
  Array.isArray(resource[name]) ? (resource[name] as Value[]) : [];

/** Collects entitlements from the users, because SCIM has no list of them. */
export async function* listEntitlements(
  scim: Scim,
  { mayShift }: Pick<ListContext, 'mayShift'>,
): AsyncGenerator<LicenseRecord> {
  const names = new Map<string, string>();
  for await (const user of resources(scim, 'Users', { beforeNext: mayShift })) {
    for (const { value, display } of values(user, 'entitlements'))
      if (value) names.set(value, display ?? value);
  }
  for (const [id, name] of names) yield { id, name };
}

export async function* listUsers(
  scim: Scim,
  { mayShift, unseen }: Pick<ListContext, 'mayShift' | 'unseen'> = unreported,
): AsyncGenerator<Account> {
  const memberships = await readMemberships(scim);
  for await (const user of resources(scim, 'Users', { beforeNext: mayShift }))
    yield accountOf(user, memberships.of(user));
  memberships.report(unseen);
}

/** Reads a user with all its groups, or with those that are wanted. */
export async function readUser(scim: Scim, id: string, wanted?: Wanted): Promise<Account | null> {
  const user = await read(scim, 'Users', id);
  if (user === null) return null;
  if (wanted === undefined) return accountOf(user, (await readMemberships(scim)).of(user));
  const groups = wanted.entitlements.filter(({ slug }) => slug === 'group').map((each) => each.id);
  return accountOf(user, await membershipsIn(scim, user, groups));
}

/** Finds a user by userName, because not every server rejects a second POST. Some servers ignore the filter. */
export async function findUser(scim: Scim, { username, email }: TaskAccount): Promise<string | null> {
  const wanted = username || email;
  if (!wanted) throw new TaskError('INTERNAL_ERROR', 'the task names neither a username nor an email');
  const found = new Set<string>();
  let isPaged = false;
  const filter = `userName eq ${quoted(wanted)}`;
  const beforeNext = () => {
    isPaged = true;
  };
  const search = async () => {
    for await (const { id, userName } of resources(scim, 'Users', { filter, beforeNext }))
      if (isSameName(userName, wanted)) found.add(id);
  };
  await search();
  // The user may have moved to a page that was already read.
  if (isPaged && found.size === 0) await search();
  const [id, second] = found;
  if (second !== undefined)
    throw new TaskError(
      'INTERNAL_ERROR',
      `several users have the userName ${wanted}: ${[...found].join(', ')}`,
    );
  return id ?? null;
}

/** Compares userNames without regard to case (RFC 7643, 4.1.1). */
export const isSameName = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

function accountOf(user: Resource, groups: Ref[] | undefined): Account {
  const emails = emailsOf(user);
  const name = (user.name ?? {}) as { givenName?: string; familyName?: string };
  const entitlements = values(user, 'entitlements').flatMap(({ value, display }) =>
    value ? [{ id: value, name: display ?? value }] : [],
  );
  return {
    id: user.id,
    username: text(user.userName),
    email: emails[0],
    candidates: { email: emails },
    first_name: name.givenName,
    last_name: name.familyName,
    display_name: text(user.displayName),
    status: isActive(user.active) ? 'active' : 'suspended',
    attributes: attributesOf(user),
    memberships: { group: groups },
    assignments: { entitlement: entitlements },
  };
}

/** The primary address, or all of them: their order means nothing (RFC 7643, 2.4), so the runner keeps the one that it knows. */
function emailsOf(user: Resource): string[] {
  const emails = values(user, 'emails').filter(({ value }) => text(value)?.includes('@'));
  const primary = emails.find(({ primary }) => String(primary).toLowerCase() === 'true');
  return (primary ? [primary] : emails).flatMap(({ value }) => value ?? []).toSorted();
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The attributes of RFC 7643, sections 4.1.1 and 4.3, that help to judge an account. */
function attributesOf(user: Resource): Attributes {
  const { department, division, organization, costCenter, employeeNumber } = (user[enterprise] ??
    {}) as Record<string, unknown>;
  const found = {
    title: user.title,
    user_type: user.userType,
    department,
    division,
    organization,
    cost_center: costCenter,
    employee_number: employeeNumber,
  };
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, short(text(value))]));
}

/** Leaves out a text that is longer than an attribute may be. */
const short = (value: string | undefined) => (value !== undefined && value.length <= 512 ? value : undefined);

const states: Record<string, boolean> = { true: true, false: false, '1': true, '0': false };

/** Absent means active. Some servers send the string "False" or a number. */
export function isActive(active: unknown): boolean {
  const state = states[String(active ?? true).toLowerCase()];
  if (state === undefined)
    throw new Error(`the SCIM server returned the unknown value ${JSON.stringify(active)} for active`);
  return state;
}
