import {
  type Changes,
  type Grants,
  generatePassword,
  type Ref,
  type TaskAccount,
  TaskError,
} from '@gatehouse/connector';
import { accountOf } from './accounts.ts';
import { apply, firstRow, inTransaction, requireAccount } from './changes.ts';
import { openComparison } from './comparison.ts';
import type { Credentials } from './definition.ts';
import { isDuplicate, meaningOf } from './errors.ts';
import { asText, type Inputs } from './expressions.ts';
import { type Grant, grantedGroup, readGrants } from './grants.ts';
import { principalsAsWritten } from './matching.ts';
import { accountPlan, type Change, type Field, type Plan, type TypePlan } from './plan.ts';
import { entitlementOf, type Resource } from './resources.ts';
import { type Held, keyOf } from './spool.ts';
import { type Reader, tokenValue } from './statements.ts';

export type Work = { reader: Reader; plan: Plan; type: TypePlan; deliverTo: string | undefined };

export async function findAccount({ reader, type }: Work, account: TaskAccount): Promise<string | null> {
  if (!type.create) return null;
  const { fields, validate } = type.create;
  const inputs: Inputs = { input: inputOf(fields, account), account };
  const row = await firstRow(
    reader,
    validate.statement,
    (token) => tokenValue(token, validate.vars, inputs) ?? null,
  );
  return row === undefined ? null : accountOf(type, row).id;
}

export async function createAccount(work: Work, account: TaskAccount, memberships: Grants<string>) {
  const { reader, plan, type, deliverTo } = work;
  const { create } = type;
  if (!create) throw undefinedTask(type, 'account_provisioning');
  const password = create.needsPassword ? passwordFor(create.credentials, deliverTo) : undefined;
  const inputs: Inputs = { input: inputOf(create.fields, account), account, password };
  const wanted = refsOf(memberships);
  const grants = wanted.map((held) => changeFor(plan, held, 'grant'));
  const isTransaction = create.change.isTransaction && grants.every(({ change }) => change.isTransaction);
  const id = await inTransaction(reader, isTransaction, async () => {
    const step = <T>(change: Change, run: () => Promise<T>) =>
      inTransaction(reader, !isTransaction && change.isTransaction, run);
    await step(create.change, () => apply(reader, create.change, inputs));
    const made = await findAccount(work, account);
    if (made === null)
      throw new TaskError(
        'INTERNAL_ERROR',
        'the account was created, but the query of "validate" does not find it',
      );
    for (const { change, held } of grants)
      await step(change, () => apply(reader, change, partiesOf(plan, type, held, made)));
    return made;
  });
  return { id, ...(password === undefined ? {} : { password }) };
}

/** Adds and removes groups. Memberships that are already as wanted are left alone. */
export async function updateAccount(
  work: Work,
  account: TaskAccount,
  changes: Changes<string>,
): Promise<void> {
  const { reader, plan, type } = work;
  await requireAccount(reader, type, account.id);
  const removed = refsOf(mapValues(changes, (change) => change?.removed ?? []));
  const added = refsOf(mapValues(changes, (change) => change?.added ?? []));
  /** The spellings of the account's id in its grants, by group. */
  const held = new Map<string, Set<string>>();
  for (const { group, written } of await heldGroups(work, [...removed, ...added], account.id))
    held.set(keyOf(group), (held.get(keyOf(group)) ?? new Set()).add(written));
  // Removals come first: a statement that revokes one role may remove the row that holds the only one.
  const revoked = removed.filter((group) => held.has(keyOf(group)));
  const steps = [
    ...revoked.map((group) => changeFor(plan, group, 'revoke')),
    ...added.filter((group) => !held.has(keyOf(group))).map((group) => changeFor(plan, group, 'grant')),
  ];
  const isTransaction = steps.every(({ change }) => change.isTransaction);
  await inTransaction(reader, isTransaction, async () => {
    for (const { change, held: group } of steps)
      await inTransaction(reader, !isTransaction && change.isTransaction, async () => {
        for (const principal of held.get(keyOf(group)) ?? [account.id])
          await apply(reader, change, partiesOf(plan, type, group, principal));
      });
    const [left] = await heldGroups(work, revoked, account.id);
    if (left)
      throw new TaskError(
        'INTERNAL_ERROR',
        `after the queries of "revoke", the account still has ${left.group.slug} '${left.group.id}'`,
      );
  }).catch((error) => {
    // A unique key can also mean that the account may have only one group of a kind.
    if (!isDuplicate(error)) throw error;
    throw new TaskError('INTERNAL_ERROR', meaningOf(error)?.message ?? String(error), { cause: error });
  });
}

/** Runs one of the changes of an account: suspend, unsuspend or delete. */
export async function changeAccount(
  { reader, type }: Work,
  id: string,
  way: 'suspend' | 'unsuspend' | 'delete',
): Promise<void> {
  const change = type[way];
  if (!change) throw undefinedTask(type, `gatehouse.${way}`);
  await requireAccount(reader, type, id);
  await inTransaction(reader, change.isTransaction, async () => {
    const changed = await apply(reader, change, { id, resource_id: id });
    if (way === 'delete' && changed === 0)
      throw new TaskError(
        'INTERNAL_ERROR',
        `the queries of "delete" changed no row, so the account ${id} still exists`,
      );
  });
}

export async function resetPassword(
  { reader, type, deliverTo }: Work,
  id: string,
): Promise<{ password: string }> {
  if (!type.resetPassword) throw undefinedTask(type, 'credential_rotation');
  const { change, credentials } = type.resetPassword;
  await requireAccount(reader, type, id);
  const password = passwordFor(credentials, deliverTo);
  if (password === undefined)
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  await inTransaction(reader, change.isTransaction, () =>
    apply(reader, change, { id, resource_id: id, password }),
  );
  return { password };
}

export const workOf = (base: Omit<Work, 'type'>, slug: string): Work => ({
  ...base,
  type: accountPlan(base.plan, slug),
});

const undefinedTask = (type: TypePlan, key: string) =>
  new TaskError('INTERNAL_ERROR', `the definition has no ${key} for ${type.slug}`);

/** Returns which of the groups an account holds directly, and what the grants have for the account. */
export async function heldGroups(
  { reader, plan, type }: Work,
  groups: Held[],
  account: string,
): Promise<{ group: Held; written: string }[]> {
  const wanted = new Set(groups.map(keyOf));
  const held: { group: Held; written: string }[] = [];
  const fail = (row: string, why: string) => {
    throw new TaskError('INTERNAL_ERROR', `${row}: ${why}`);
  };
  const comparison = openComparison(reader);
  try {
    for (const each of plan.types) {
      const resources = new Map<string, Resource>();
      for (const { id } of groups.filter(({ slug }) => slug === each.slug)) {
        const { resource } = entitlementOf(each, id);
        resources.set(resource, { ID: resource, Type: each.slug, DisplayName: resource });
      }
      if (resources.size === 0) continue;
      const asWritten = await principalsAsWritten(comparison, each, type, resources);
      const isAccount = (written: string) => written === account || asWritten.get(written) === account;
      const found = (grant: Grant) => {
        if (grant.principalType !== type.slug || !isAccount(grant.principal)) return;
        const group = grantedGroup(each, grant);
        if (wanted.has(keyOf(group))) held.push({ group, written: grant.principal });
      };
      await readGrants(
        reader,
        comparison,
        { plan: each, resources },
        { skip: fail, found, unknown: () => {} },
      );
    }
    return held;
  } finally {
    await comparison.close();
  }
}

function changeFor(plan: Plan, held: Held, way: 'grant' | 'revoke'): { change: Change; held: Held } {
  const group = plan.types.find(({ slug }) => slug === held.slug);
  const change = group && entitlementOf(group, held.id).rule?.[way];
  if (!change)
    throw new TaskError(
      'INTERNAL_ERROR',
      `the definition has no ${way} queries for ${held.slug} '${held.id}'`,
    );
  return { change, held };
}

function partiesOf(plan: Plan, type: TypePlan, { slug, id }: Held, account: string): Inputs {
  const group = plan.types.find((each) => each.slug === slug);
  const { resource, entitlement } = group ? entitlementOf(group, id) : { resource: id, entitlement: '' };
  return {
    principal: { ID: account, Type: type.slug },
    resource: { ID: resource, Type: slug },
    entitlement: { ID: entitlement },
  };
}

const refsOf = (map: Record<string, Ref[] | undefined>): Held[] =>
  Object.entries(map).flatMap(([slug, refs]) => (refs ?? []).map(({ id }) => ({ slug, id })));

const mapValues = <A, B>(map: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));

/** Returns the fields of a new account. Their names decide which attribute they get, unless they have a value. */
function inputOf(fields: Field[], account: TaskAccount): Record<string, unknown> {
  const { email, username, first_name: first, last_name: last } = account;
  const full = [first, last].filter(Boolean).join(' ');
  const byName: Record<string, string | null | undefined> = {
    email,
    emailaddress: email,
    mail: email,
    username: username || email,
    login: username || email,
    name: full || username || email,
    displayname: full || username || email,
    fullname: full,
    firstname: first,
    givenname: first,
    lastname: last,
    familyname: last,
    surname: last,
  };
  const input: Record<string, unknown> = {};
  for (const { name, isRequired, value } of fields) {
    const given = value
      ? asText(value.value({ account }))
      : byName[name.toLowerCase().replaceAll(/[^a-z]/g, '')];
    if (given) input[name] = given;
    else if (isRequired)
      throw new TaskError('INTERNAL_ERROR', `the task has no value for the required field "${name}"`);
  }
  return input;
}

/** Returns a new password, or undefined if nobody could receive it and the definition allows accounts without one. */
function passwordFor(credentials: Credentials, deliverTo: string | undefined): string | undefined {
  const rule = credentials?.random_password;
  if (!deliverTo) {
    if (!credentials || credentials.no_password !== undefined) return undefined;
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  }
  let password = generatePassword();
  while (password.length < (rule?.min_length ?? 0)) password = generatePassword() + password;
  // The end has each kind of character.
  return rule?.max_length === undefined ? password : password.slice(-rule.max_length);
}
