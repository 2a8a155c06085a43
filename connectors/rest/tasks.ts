import {
  afterUndo,
  type Changes,
  type Grants,
  generatePassword,
  leavingBehind,
  type Ref,
  type TaskAccount,
  type TaskContext,
  TaskError,
  type Tasks,
} from '@gatehouse/connector';
import type {
  Compiled,
  CompiledAccount,
  CompiledList,
  CompiledSteps,
  Entitlement,
  StepAction,
} from './compiled.ts';
import { kindOf, type Scope } from './expression.ts';
import { RequestError } from './failures.ts';
import { itemsOf } from './items.ts';
import { readGroup } from './members.ts';
import { giverOf, READING, readItem } from './read-back.ts';
import { runSteps, type StepScope, UnsettledError } from './steps.ts';
import type { System } from './system.ts';

/** Returns the tasks that a definition describes. */
export function tasksOf({ accounts, entitlements }: Compiled): Tasks<System, string> {
  const has = (action: StepAction) => accounts.some(({ actions }) => actions[action] !== undefined);
  const grants = entitlements.some(({ add, remove }) => add ?? remove);
  const simple = (action: 'delete' | 'suspend' | 'unsuspend') =>
    has(action)
      ? async (system: System, { id }: { id: string }, context: TaskContext) => {
          await act(system, action, scopeOf({ id }), context);
        }
      : undefined;
  const tasks: { [K in keyof Tasks<System, string>]: Tasks<System, string>[K] | undefined } = {
    find: accounts.some(({ find }) => find) ? findAccount : undefined,
    create: has('create') ? createAccount : undefined,
    update: has('update') || grants ? updateAccount : undefined,
    delete: simple('delete'),
    suspend: simple('suspend'),
    unsuspend: simple('unsuspend'),
    resetPassword: has('reset_password') ? resetPassword : undefined,
  };
  return Object.fromEntries(Object.entries(tasks).filter(([, task]) => task !== undefined)) as Tasks<
    System,
    string
  >;
}

const scopeOf = (account: Record<string, unknown>, password: string | null = null): StepScope => ({
  account: { ...account },
  captured: {},
  password,
  isCreated: false,
});

function accountOf({ compiled }: System, slug: string): CompiledAccount {
  const found = compiled.accounts.find((each) => each.slug === slug);
  if (!found) throw new TaskError('INTERNAL_ERROR', `the definition has no account type "${slug}"`);
  return found;
}

function stepsOf(system: System, action: StepAction, { resourceType }: TaskContext): CompiledSteps {
  const steps = accountOf(system, resourceType).actions[action];
  if (!steps)
    throw new TaskError(
      'INTERNAL_ERROR',
      `the definition has no ${action} for accounts of type ${resourceType}`,
    );
  return steps;
}

const act = (system: System, action: StepAction, scope: StepScope, context: TaskContext) =>
  runSteps(stepsOf(system, action, context), scope, { system, action, signal: context.signal });

async function findAccount(
  system: System,
  account: TaskAccount,
  { resourceType }: TaskContext,
): Promise<string | null> {
  const { find } = accountOf(system, resourceType);
  if (!find) return null;
  const scope = { account: fieldsOfTask(account) };
  const { settings } = system;
  const wanted = find.for({ ...scope, settings });
  if (typeof wanted !== 'string' || wanted === '')
    throw new TaskError('INTERNAL_ERROR', `the account cannot be looked for: find.for is ${kindOf(wanted)}`);
  const idsIn = (hits: unknown[]) => {
    const found = new Set<string>();
    for (const item of hits) {
      const key = find.key({ ...scope, item, settings });
      if (typeof key === 'string' && key.toLowerCase() === wanted.toLowerCase())
        found.add(idIn(find.id({ ...scope, item, settings })));
    }
    return found;
  };
  const { hits, isPaged } = await hitsOf(system, find.list, scope);
  let found = idsIn(hits);
  // The account may have moved to a page that was already read, and would be created a second time.
  if (found.size === 0 && isPaged) found = idsIn((await hitsOf(system, find.list, scope)).hits);
  const [id, second] = found;
  if (second !== undefined)
    throw new TaskError('INTERNAL_ERROR', `several accounts fit ${wanted}: ${[...found].join(', ')}`);
  return id ?? null;
}

/** Reads all pages, because a server that ignores a filter may list the account on a later one. */
async function hitsOf(
  system: System,
  list: CompiledList,
  scope: Scope,
): Promise<{ hits: unknown[]; isPaged: boolean }> {
  const hits: unknown[] = [];
  let isPaged = false;
  const beforeNext = () => {
    isPaged = true;
  };
  try {
    const patient = { ...system, patience: READING };
    for await (const { item } of itemsOf(patient, list, scope, { beforeNext })) hits.push(item);
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 404)) throw error;
  }
  return { hits, isPaged };
}

function idIn(id: unknown): string {
  if (id === null || id === undefined || id === '' || typeof id === 'object')
    throw new TaskError('INTERNAL_ERROR', `find.id of the definition is ${kindOf(id)}, but must be an id`);
  return String(id);
}

/** Fields that a task does not have are null, so that expressions can name them. */
const fieldsOfTask = ({ id, email, username, first_name, last_name }: TaskAccount) => ({
  id,
  email: email ?? null,
  username: username ?? null,
  first_name: first_name ?? null,
  last_name: last_name ?? null,
});

/** A step that fails after the account was created undoes the creation, so that a retry can begin again. */
async function createAccount(
  system: System,
  { account, memberships }: { account: TaskAccount; memberships: Grants<string> },
  context: TaskContext,
): Promise<{ id: string; password?: string }> {
  const steps = stepsOf(system, 'create', context);
  const password = steps.usesPassword ? generatePassword() : null;
  if (password !== null) system.client.conceal(password);
  // Until a step has captured the new id, the account has none.
  const scope = scopeOf({ ...fieldsOfTask(account), id: null }, password);
  try {
    await runSteps(steps, scope, { system, action: 'create', signal: context.signal });
    for (const [slug, added = []] of Object.entries(memberships))
      await grant(system, slug, 'add', added, scope.account, context, true);
  } catch (error) {
    const { id } = scope.account;
    throw typeof id === 'string' ? await afterFailure(system, id, scope.isCreated, context, error) : error;
  }
  const id = String(scope.account.id);
  return { id, ...(password !== null && system.deliverTo ? { password } : {}) };
}

/** Undoes a creation only if the application said that the account is new and the last sync did not list it. */
async function afterFailure(
  system: System,
  id: string,
  isCreated: boolean,
  context: TaskContext,
  error: unknown,
): Promise<unknown> {
  if (error instanceof UnsettledError) return leavingBehind(error, `the account ${id} was created and stays`);
  if (!isCreated || context.isKnown?.(id) === true)
    return leavingBehind(error, `the account ${id} stays, because it may be older than this task`);
  return afterUndo(error, id, () => act(system, 'delete', scopeOf({ id }), context));
}

async function updateAccount(
  system: System,
  { account, changes }: { account: TaskAccount; changes: Changes<string> },
  context: TaskContext,
): Promise<void> {
  const type = accountOf(system, context.resourceType);
  if (type.read && !(await readItem(system, type, account.id)))
    throw new TaskError('ACCOUNT_NOT_FOUND', `no account has the id ${account.id}`);
  const fields = fieldsOfTask(account);
  if (type.actions.update) await act(system, 'update', scopeOf(fields), context);
  for (const [slug, change] of Object.entries(changes))
    await grant(system, slug, 'remove', change?.removed ?? [], fields, context);
  for (const [slug, change] of Object.entries(changes))
    await grant(system, slug, 'add', change?.added ?? [], fields, context);
}

async function grant(
  system: System,
  slug: string,
  action: 'add' | 'remove',
  refs: Ref[],
  account: Record<string, unknown>,
  { signal }: TaskContext,
  isNew = false,
): Promise<void> {
  if (refs.length === 0) return;
  const entitlement = system.compiled.entitlements.find((each) => each.slug === slug);
  const steps = entitlement?.[action];
  if (!entitlement || !steps)
    throw new TaskError('INTERNAL_ERROR', `the definition has no steps to ${action} a membership of ${slug}`);
  for (const { id, name } of refs) {
    const scope: StepScope = { ...scopeOf(account), group: { id, name: name ?? null } };
    await runSteps(steps, scope, { system, action, signal, isNew }).catch(async (error: unknown) => {
      if (!(error instanceof UnsettledError)) throw error;
      const found = await lookFor(system, entitlement, { id, name }, String(account.id));
      // Without the group, waiting would not have helped, and the creation can be undone.
      if (found === 'no group') throw new TaskError(error.code, error.message, { cause: error });
      if (found !== 'member') throw error;
    });
    if (action === 'remove') await refuseGiven(system, entitlement, id, String(account.id));
  }
}

/** A membership that a group in the group, or its parent, gives remains, and nothing but the other membership can end it. */
async function refuseGiven(
  system: System,
  entitlement: Entitlement,
  id: string,
  account: string,
): Promise<void> {
  const giver = await giverOf(system, entitlement, id, account);
  if (giver !== undefined)
    throw new TaskError(
      'INTERNAL_ERROR',
      `the account ${account} is in the group ${id} through the group ${giver}; remove it from that group instead`,
    );
}

/** Looks for a membership of a new account: an application may carry out a request that it answers with 404. */
async function lookFor(
  system: System,
  { members }: Entitlement,
  { id, name }: Ref,
  account: string,
): Promise<'member' | 'no member' | 'no group'> {
  if (!members) return 'no member';
  try {
    const { accounts } = await readGroup(system, members, { id, name: name ?? null });
    return accounts.includes(account) ? 'member' : 'no member';
  } catch (error) {
    return error instanceof RequestError && error.status === 404 ? 'no group' : 'no member';
  }
}

async function resetPassword(
  system: System,
  { id }: { id: string },
  context: TaskContext,
): Promise<{ password?: string }> {
  const steps = stepsOf(system, 'reset_password', context);
  if (!steps.usesPassword) {
    await act(system, 'reset_password', scopeOf({ id }), context);
    return {};
  }
  if (!system.deliverTo)
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  const password = generatePassword();
  system.client.conceal(password);
  await act(system, 'reset_password', scopeOf({ id }, password), context);
  return { password };
}
