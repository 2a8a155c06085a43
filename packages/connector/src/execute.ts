import { randomBytes } from 'node:crypto';
import type { Confirmation } from './confirmation.ts';
import {
  type AccountRecord,
  type Changes,
  type Grants,
  type TaskAccount,
  type TaskContext,
  unreported,
} from './define.ts';
import { isTaskError, reason, TaskError } from './errors.ts';
import { readBack, readOnce, seenIn } from './read-back.ts';
import type { Report, Task } from './service.ts';
import type { Run } from './sync.ts';

/**
 * The outcome of a task. `account` is the external system's id of a created account, and `record` the account as it was read
 * afterwards.
 */
export type Outcome = { report: Report; account?: string; record?: AccountRecord };

/** The finding of an earlier, interrupted attempt at this task: whether the account was absent. */
export type Earlier = { absent: boolean } | undefined;

/** Places that a task has passed. A later run continues from the last of them. */
export type Marks = {
  /** The task begins. `absent`: whether the account to create was looked for and not found. */
  begun(absent: boolean): void;
  /** The connector has carried out the task. The result is not confirmed yet. */
  carriedOut(outcome: Outcome): void;
};

const verbs = {
  create_account: 'create',
  update_account: 'update',
  delete_account: 'delete',
  suspend_account: 'suspend',
  unsuspend_account: 'unsuspend',
  reset_password: 'resetPassword',
} as const;

/**
 * Carries out one task (protocol 4.9), reads the account back (D80), and returns the report. Never throws: any error of the
 * connector becomes a task error code (protocol 7.4).
 */
export async function execute(run: Run, task: Task, earlier: Earlier, marks: Marks): Promise<Outcome> {
  const deadline = AbortSignal.timeout(run.taskTimeout ?? 120_000);
  const context: TaskContext = {
    resourceType: task.resource_type,
    signal: deadline,
    log: run.progress,
    isKnown: (id) => run.state.isKnown(task.resource_type, id),
  };
  let outcome: Outcome;
  try {
    outcome = await Promise.race([carryOut(run, task, context, earlier, marks.begun), expiry(deadline)]);
  } catch (error) {
    const outcome = await afterError(run, task, earlier, taskErrorOf(run, error));
    if (!(error instanceof ExistingAccount)) return outcome;
    return { report: { ...outcome.report, result: { account: error.account } } };
  }
  marks.carriedOut(outcome);
  return confirmed(run, task, outcome);
}

/** Adds to the report of a task that was carried out what the system shows now. */
async function confirmed(run: Run, task: Task, outcome: Outcome): Promise<Outcome> {
  const id = outcome.account ?? task.payload.account?.id ?? '';
  const { failure, record, ...result } = await readBack(run, task, id);
  if (failure) return { ...outcome, report: failed(run, failure, result) };
  return { ...outcome, report: { ...outcome.report, result }, ...(record ? { record } : {}) };
}

const failed = ({ redactor }: Run, { code, message }: TaskError, result?: Confirmation): Report => ({
  status: 'failed',
  error: { code, message: redactor.text(message).slice(0, 2000) },
  ...(result ? { result } : {}),
});

/**
 * Returns the report of an error. "Not found" counts only if the account cannot be read either: it may be about a group or an
 * address. If an interrupted attempt may have deleted the account, and a read shows that it is gone, the task is done.
 */
async function afterError(run: Run, task: Task, earlier: Earlier, error: TaskError): Promise<Outcome> {
  const id = task.payload.account?.id;
  const isOther = error.code !== 'ACCOUNT_NOT_FOUND' || task.action === 'create_account' || id === undefined;
  if (isOther) return { report: failed(run, error) };
  const mayBeDone = earlier !== undefined && task.action === 'delete_account';
  const isReadable = run.connector.accounts[task.resource_type]?.get !== undefined;
  if (!isReadable && !mayBeDone) return { report: failed(run, error) };
  let record: AccountRecord | null;
  try {
    record = await proof(run, task, id);
  } catch (problem) {
    if (!mayBeDone) return { report: failed(run, error) };
    const why = `${error.message}; whether an interrupted attempt has deleted the account ${id} could not be read: ${reason(problem)}`;
    return { report: failed(run, new TaskError('INTERNAL_ERROR', why)) };
  }
  const seen = seenIn(task, record);
  if (record === null && mayBeDone)
    return { report: { status: 'completed', result: { confirmed: 'read', seen } } };
  const result: Confirmation = { confirmed: 'none', seen };
  if (record === null) return { report: failed(run, error, result) };
  const why = `${error.message}; but the account ${id} exists and is ${seen.account}`;
  return { report: failed(run, new TaskError('INTERNAL_ERROR', why), result) };
}

/** Reads the account of a failed task. A connector without `get` lists all of them, which only an interrupted deletion needs. */
function proof(run: Run, task: Task, id: string): Promise<AccountRecord | null> {
  if (run.connector.accounts[task.resource_type]?.get) return readOnce(run, task, id);
  const context = { resourceType: task.resource_type, signal: run.signal, log: run.progress };
  return readAccount(run, id, context);
}

function expiry(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const error = new TaskError(
      'TIMEOUT',
      'the external system did not respond in time; it may still carry out the task',
    );
    deadline.addEventListener('abort', () => reject(error), { once: true });
  });
}

async function carryOut(
  run: Run,
  task: Task,
  context: TaskContext,
  earlier: Earlier,
  begun: (absent: boolean) => void,
): Promise<Outcome> {
  const { connector, system } = run;
  const tasks = connector.tasks ?? {};
  const account = accountOf(task);
  if (!tasks[verbs[task.action]]) {
    throw new TaskError('INTERNAL_ERROR', `the connector ${connector.name} does not support ${task.action}`);
  }
  if (task.action === 'create_account') return create(run, task, account, context, earlier, begun);
  begun(false);
  switch (task.action) {
    case 'update_account':
      await tasks.update?.(system, { account, changes: changesOf(task.payload.changes) }, context);
      break;
    case 'delete_account':
      await tasks.delete?.(system, { id: account.id }, context);
      break;
    case 'suspend_account':
      await tasks.suspend?.(system, { id: account.id }, context);
      break;
    case 'unsuspend_account':
      await tasks.unsuspend?.(system, { id: account.id }, context);
      break;
    case 'reset_password': {
      const made = await tasks.resetPassword?.(system, { id: account.id }, context);
      if (made?.password) await deliver(run, account.id, made.password);
    }
  }
  return { report: { status: 'completed' } };
}

async function create(
  run: Run,
  task: Task,
  account: TaskAccount,
  context: TaskContext,
  earlier: Earlier,
  begun: (absent: boolean) => void,
): Promise<Outcome> {
  const { connector, system } = run;
  const tasks = connector.tasks ?? {};
  const memberships = grantsOf(task.payload.memberships);
  const existing = tasks.find ? await tasks.find(system, account, context) : null;
  if (existing !== null && earlier?.absent) {
    await refuseStranger(run, account, existing, context);
    return finishCreate(run, { ...account, id: existing }, memberships, context);
  }
  if (existing !== null) {
    const record = await readIfPossible(run, existing, context);
    throw new ExistingAccount(existing, record?.email);
  }
  begun(tasks.find !== undefined);
  const made = await tasks.create?.(system, { account, memberships }, context);
  const id = made?.id ?? account.id;
  if (made?.password) {
    await deliver(run, id, made.password).catch((error) => {
      run.progress.warn(`account ${id} was created, but ${reason(error)}; reset its password`);
    });
  }
  return { report: { status: 'completed' }, account: id };
}

/** Reads an account. A connector without `get` lists all of them, which only a killed run needs. */
async function readAccount(
  { connector, system }: Run,
  id: string,
  { resourceType, signal, log }: TaskContext,
): Promise<AccountRecord | null> {
  const type = connector.accounts[resourceType];
  if (type?.get) return type.get(system, id);
  const context = { from: undefined, signal, log, skip: () => {}, ...unreported };
  for await (const item of type?.list(system, context) ?? [])
    for (const record of 'records' in item ? item.records : [item]) if (record.id === id) return record;
  return null;
}

/** The account to create exists already. The report says which one it is, so that the server knows whose (D82). */
class ExistingAccount extends TaskError {
  readonly account: { id: string; email?: string | null };
  constructor(id: string, email: string | null | undefined) {
    super('ACCOUNT_ALREADY_EXISTS', `the account already exists with the id ${id}`);
    this.account = { id, ...(email ? { email } : {}) };
  }
}

/** Reads an account with `get`. Null if that is not possible: only its email is wanted. */
async function readIfPossible(
  { connector, system }: Run,
  id: string,
  { resourceType }: TaskContext,
): Promise<AccountRecord | null> {
  try {
    return (await connector.accounts[resourceType]?.get?.(system, id)) ?? null;
  } catch {
    return null;
  }
}

/**
 * A server may ignore a filter, and somebody else may have got the user name in the meantime. Reads the found account, so that nobody
 * else gets the access of a creation: it must have the email of the task, or the user name if one of them has no email.
 */
async function refuseStranger(
  run: Run,
  { username, email }: TaskAccount,
  id: string,
  context: TaskContext,
): Promise<void> {
  const record = await readAccount(run, id, context);
  if (!record) return;
  const names = (values: unknown[]) =>
    values.flatMap((value) => (typeof value === 'string' && value !== '' ? [value.toLowerCase()] : []));
  const asked = names([username, email]);
  const found = names([record.username, record.email]);
  const emails = names([record.email, ...Object.values(record.candidates ?? {}).flat()]);
  const isSameName = found.some((name) => asked.includes(name));
  if (isSameName && (!email || emails.length === 0 || emails.includes(email.toLowerCase()))) return;
  if (isSameName) throw new ExistingAccount(id, record.email);
  throw new TaskError(
    'INTERNAL_ERROR',
    `the connector found the account ${id} (${found.join(', ')}) for ${asked.join(', ')}; it is somebody else's and stays unchanged`,
  );
}

/** Finishes a creation that was interrupted after an earlier attempt had created the account. */
async function finishCreate(
  { connector, system, progress }: Run,
  account: TaskAccount,
  memberships: Grants<string>,
  context: TaskContext,
): Promise<Outcome> {
  progress.info(`an interrupted attempt created account ${account.id}; finishing it`);
  const changes: Changes<string> = {};
  for (const [slug, added = []] of Object.entries(memberships)) changes[slug] = { added, removed: [] };
  if (Object.keys(changes).length > 0) await connector.tasks?.update?.(system, { account, changes }, context);
  progress.warn(
    `if the interrupted attempt set a password for ${account.id}, it is lost; reset it if needed`,
  );
  return { report: { status: 'completed' }, account: account.id };
}

/** Delivers a generated password. Passwords leave this process in no other way. */
async function deliver(
  { connector, system, redactor }: Run,
  account: string,
  password: string,
): Promise<void> {
  redactor.add(password);
  if (!connector.deliver)
    throw new TaskError('INTERNAL_ERROR', 'the connector has no delivery hook for the new password');
  try {
    await connector.deliver(system, { account, password });
  } catch (error) {
    throw new TaskError('INTERNAL_ERROR', `the new password could not be delivered (${reason(error)})`, {
      cause: error,
    });
  }
}

function taskErrorOf({ connector }: Pick<Run, 'connector'>, error: unknown): TaskError {
  if (isTaskError(error)) return error;
  return connector.mapError?.(error) ?? new TaskError('INTERNAL_ERROR', reason(error), { cause: error });
}

function accountOf(task: Task): TaskAccount {
  const { account } = task.payload;
  if (!account || typeof account.id !== 'string')
    throw new TaskError('INTERNAL_ERROR', 'the task has no account');
  return account;
}

const grantsOf = (memberships: Task['payload']['memberships']): Grants<string> => memberships ?? {};

function changesOf(changes: Task['payload']['changes']): Changes<string> {
  const entries = Object.entries(changes ?? {}).map(([slug, change]) => [
    slug,
    { added: change?.added ?? [], removed: change?.removed ?? [] },
  ]);
  return Object.fromEntries(entries);
}

/** Returns a password that satisfies common rules: 144 random bits and every kind of character. */
export function generatePassword(): string {
  return `${randomBytes(18).toString('base64url')}aA1!`;
}
