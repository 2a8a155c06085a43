// @module-tag long
// @module-tag engine
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import type { Action, TaskStatus } from './task.ts';

/**
 * Random sequences of operations on tasks, by two connectors at the same time, compared with a model that does not use the
 * database. After every step both hold the same tasks and accounts in the same states.
 */

const RETRIES = [60, 300, 1500];

interface ModelTask {
  id: string;
  account: ModelAccount;
  action: Action;
  status: TaskStatus;
  /** Seconds until it is due. */
  wait: number;
  dispatched: boolean;
  /** The reason why the task has been waiting since it became due. */
  blocked: 'account' | 'id' | null;
  /** Whether task.dispatch_blocked was recorded. */
  announced: boolean;
  attempt: number;
}

interface ModelAccount {
  name: string;
  uuid: string | null;
  user: string;
  status: 'NEW' | 'INVITED' | 'ACTIVE' | 'SUSPENDED' | 'INACTIVE' | null;
  idKnown: boolean;
  /** The account in the external system. */
  outside: 'active' | 'suspended' | null;
  deleted: boolean;
}

class Model {
  readonly tasks: ModelTask[] = [];
  readonly accounts: ModelAccount[];
  dispatches = 0;
  blocks = 0;

  constructor(accounts: ModelAccount[]) {
    this.accounts = accounts;
  }

  open(account: ModelAccount) {
    return this.tasks.filter(
      (task) => task.account === account && (task.status === 'pending' || task.status === 'scheduled'),
    );
  }

  due(account: ModelAccount) {
    return this.open(account).filter(({ status, wait }) => status === 'scheduled' && wait <= 0);
  }

  /** Whether an open task deletes or suspends the account already, no later than asked for: a second one by hand is refused. */
  isUnderWay(account: ModelAccount, action: Action, delay: number) {
    const open = this.open(account);
    if (action === 'delete_account') return open.some((task) => task.action === action);
    const last = open.findLast((task) => SUSPENDING.includes(task.action));
    if (action !== 'suspend_account' || last?.action !== action) return false;
    return last.status === 'pending' || last.blocked !== null || last.wait <= delay;
  }

  /** Applies the rules of D28 and D31, one after the other. */
  advance(account: ModelAccount) {
    for (const removal of this.due(account)) {
      if (removal.action !== 'delete_account' || removal.announced || removal.status !== 'scheduled')
        continue;
      for (const other of this.open(account)) {
        if (other !== removal && !other.dispatched) other.status = 'preempted';
      }
    }
    const creating = this.open(account).some(({ action }) => action === 'create_account');
    if (account.status === 'NEW' && !creating) account.status = 'INACTIVE';
    const isThere = !account.deleted && (creating || account.idKnown || account.status === 'INVITED');
    for (const task of this.due(account)) {
      if (!isThere && task.action !== 'create_account') task.status = 'cancelled';
    }
    for (const task of this.due(account)) {
      const busy = this.open(account).some(({ status }) => status === 'pending');
      const blindly = !account.idKnown && task.action !== 'create_account';
      task.blocked = busy ? 'account' : blindly ? 'id' : null;
      if (task.blocked === null) task.status = 'pending';
      else if (!task.announced) {
        task.announced = true;
        this.blocks++;
      }
    }
  }

  learnId(account: ModelAccount) {
    if (account.idKnown) return;
    account.idKnown = true;
    for (const task of this.open(account)) if (task.blocked === 'id') task.blocked = null;
  }

  complete({ account, action }: ModelTask, reportsId: boolean) {
    switch (action) {
      case 'create_account':
        account.outside = 'active';
        if (account.status === 'NEW') account.status = 'INVITED';
        if (reportsId) this.learnId(account);
        break;
      case 'suspend_account':
        account.outside = 'suspended';
        if (account.status !== 'NEW') account.status = 'SUSPENDED';
        break;
      case 'unsuspend_account':
        Object.assign(account, { status: 'ACTIVE', outside: 'active' });
        break;
      case 'delete_account':
        account.outside = null;
        if (account.status === 'NEW') account.idKnown = false;
        else Object.assign(account, { status: 'INACTIVE', deleted: true });
        break;
      default:
    }
  }
}

const SUSPENDING: Action[] = ['suspend_account', 'unsuspend_account'];

type Command = fc.AsyncCommand<Model, ProvisioningTest>;

const pick = <T>(list: T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

const ACTIONS: Action[] = [
  'create_account',
  'delete_account',
  'suspend_account',
  'unsuspend_account',
  'reset_password',
  'reset_password',
];

class Create implements Command {
  readonly which: number;
  readonly action: Action;
  readonly delay: number;
  constructor(which: number, action: Action, delay: number) {
    this.which = which;
    this.action = action;
    this.delay = delay;
  }
  check = (model: Model) => {
    const account = pick(model.accounts, this.which);
    return account !== undefined && (this.action === 'create_account' || account.uuid !== null);
  };
  async run(model: Model, service: ProvisioningTest) {
    const account = pick(model.accounts, this.which) as ModelAccount;
    const creates = this.action === 'create_account';
    const isUnderWay = model.isUnderWay(account, this.action, this.delay);
    const reply = await service.call('POST', '/api/tasks/', {
      app: service.appId,
      action: this.action,
      ...(creates ? { user: account.user } : { account: account.uuid }),
      ...(this.delay === 0 ? {} : { execute_after: new Date(Date.now() + this.delay * 1000).toISOString() }),
    });
    const live = account.status !== null && account.status !== 'INACTIVE';
    const gone = account.deleted || (!live && !account.idKnown);
    const clears =
      this.action === 'delete_account' && model.open(account).some(({ dispatched }) => !dispatched);
    if (isUnderWay || (creates ? live : gone && !clears && this.delay === 0)) {
      expect(reply.status).toBe(409);
      return;
    }
    expect(reply.status).toBe(201);
    account.uuid = reply.body.app_user.external_uuid;
    if (creates)
      Object.assign(account, { status: 'NEW', idKnown: account.idKnown && !account.deleted, deleted: false });
    model.tasks.push({
      id: reply.body.external_uuid,
      account,
      action: this.action,
      status: 'scheduled',
      wait: this.delay,
      dispatched: false,
      blocked: null,
      announced: false,
      attempt: 1,
    });
    model.advance(account);
    await same(model, service);
  }
  toString = () => `create(${this.which}, ${this.action}, in ${this.delay} s)`;
}

class List implements Command {
  check = () => true;
  async run(model: Model, service: ProvisioningTest) {
    const list = () => service.bridge('GET', '/tasks/?status=pending&limit=1000');
    const replies = await Promise.all([list(), list()]);
    const expected = model.tasks.filter(({ status }) => status === 'pending').map(({ id }) => id);
    for (const { body } of replies) {
      const ours = body.tasks.filter(({ id }: { id: string }) => model.tasks.some((task) => task.id === id));
      expect(ours.map(({ id }: { id: string }) => id)).toEqual(expected);
    }
    for (const task of model.tasks) {
      if (task.status !== 'pending' || task.dispatched) continue;
      task.dispatched = true;
      model.dispatches++;
    }
    await same(model, service);
  }
  toString = () => 'both list';
}

class Report implements Command {
  readonly which: number;
  readonly outcome: 'completed' | 'with id' | 'TIMEOUT' | 'INTERNAL_ERROR';
  constructor(which: number, outcome: 'completed' | 'with id' | 'TIMEOUT' | 'INTERNAL_ERROR') {
    this.which = which;
    this.outcome = outcome;
  }
  check = (model: Model) => model.tasks.length > 0;
  async run(model: Model, service: ProvisioningTest) {
    const pending = model.tasks.filter(({ status }) => status === 'pending');
    const task =
      pick(this.which % 4 === 0 ? model.tasks : pending, this.which) ?? (model.tasks[0] as ModelTask);
    const succeeds = this.outcome === 'completed' || this.outcome === 'with id';
    const body = succeeds
      ? {
          status: 'completed',
          result: this.outcome === 'with id' ? { account: { id: task.account.name } } : null,
        }
      : { status: 'failed', error: { code: this.outcome, message: 'No luck' } };
    const report = () => service.bridge('PATCH', `/tasks/${task.id}/status/`, body);
    const statuses = (await Promise.all([report(), report()])).map(({ status }) => status).toSorted();
    expect(statuses).toEqual(task.status === 'pending' ? [200, 409] : [409, 409]);
    if (task.status !== 'pending') return;
    task.status = succeeds ? 'completed' : 'failed';
    if (succeeds) model.complete(task, this.outcome === 'with id');
    if (this.outcome === 'TIMEOUT') await this.expectRetry(model, service, task);
    model.advance(task.account);
    await same(model, service);
  }
  async expectRetry(model: Model, service: ProvisioningTest, task: ModelTask) {
    const { rows } = await sql<{ id: string }>`select id from task where retry_of = ${task.id}`.execute(
      service.database.db,
    );
    const wait = RETRIES[task.attempt - 1];
    expect(rows).toHaveLength(wait === undefined ? 0 : 1);
    if (wait === undefined || rows[0] === undefined) return;
    const fresh = { status: 'scheduled', dispatched: false, blocked: null, announced: false } as const;
    model.tasks.push({ ...task, ...fresh, id: rows[0].id, wait, attempt: task.attempt + 1 });
  }
  toString = () => `report(${this.which}, ${this.outcome}) twice`;
}

class Cancel implements Command {
  readonly which: number;
  constructor(which: number) {
    this.which = which;
  }
  check = (model: Model) => model.tasks.length > 0;
  async run(model: Model, service: ProvisioningTest) {
    const task = pick(model.tasks, this.which) as ModelTask;
    const { status } = await service.call('POST', `/api/tasks/${task.id}/cancel/`);
    const isOpen = task.status === 'pending' || task.status === 'scheduled';
    expect(status).toBe(isOpen ? 200 : 409);
    if (!isOpen) return;
    task.status = 'cancelled';
    model.advance(task.account);
    await same(model, service);
  }
  toString = () => `cancel(${this.which})`;
}

class PassTime implements Command {
  readonly seconds: number;
  constructor(seconds: number) {
    this.seconds = seconds;
  }
  // No task becomes due within the seconds that one command may take.
  check = (model: Model) => model.tasks.every(({ wait }) => wait <= 0 || Math.abs(wait - this.seconds) > 30);
  async run(model: Model, service: ProvisioningTest) {
    await service.passTime(this.seconds);
    for (const task of model.tasks) task.wait -= this.seconds;
    for (const account of model.accounts) model.advance(account);
    await same(model, service);
  }
  toString = () => `${this.seconds} s pass`;
}

/** The accounts of earlier runs in the external system: every sync pushes them, so that none is removed. */
const outside = new Map<string, object>();

class Sync implements Command {
  check = () => true;
  async run(model: Model, service: ProvisioningTest) {
    for (const account of model.accounts) {
      const { name, outside: status } = account;
      if (status === null) outside.delete(name);
      else outside.set(name, { id: name, email: `${name}@acme.example`, status });
    }
    await service.sync([...outside.values()]);
    for (const account of model.accounts) {
      if (account.outside === null) continue;
      account.status = account.outside === 'active' ? 'ACTIVE' : 'SUSPENDED';
      model.learnId(account);
      model.advance(account);
    }
    await same(model, service);
  }
  toString = () => 'sync';
}

async function same(model: Model, service: ProvisioningTest) {
  const { db } = service.database;
  // A list promotes due tasks before it reads.
  await service.bridge('GET', '/tasks/?status=scheduled&limit=1');
  const tasks = await sql<{ id: string; status: string }>`
    select id, status from task where id = any(${model.tasks.map(({ id }) => id)}::uuid[]) order by number`.execute(
    db,
  );
  expect(tasks.rows.map(({ status }) => status)).toEqual(model.tasks.map(({ status }) => status));
  const known = model.accounts.filter(({ uuid }) => uuid !== null);
  const accounts = await sql<{ id: string; status: string; known: boolean }>`
    select id, status, external_id is not null as known from account
    where id = any(${known.map(({ uuid }) => uuid)}::uuid[])`.execute(db);
  const state = new Map(accounts.rows.map((row) => [row.id, row]));
  for (const { uuid, status, idKnown } of known) {
    expect(state.get(uuid ?? '')).toEqual({ id: uuid, status, known: idKnown });
  }
  await stopClock(model, service);
}

/** Makes each task due when it is in the model: the clock of the database goes on while a busy machine runs the commands. */
async function stopClock(model: Model, { database, orgId }: ProvisioningTest) {
  const waiting = model.tasks.filter(({ status, wait }) => status === 'scheduled' && wait > 0);
  await sql`
    update task t set execute_after = seconds_after(clock_now(), w.seconds)
    from unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ wait }) => wait)}::integer[]) as w (id, seconds)
    where t.org_id = ${orgId} and t.id = w.id and t.status = 'scheduled'`.execute(database.db);
}

/** The log holds one event for each change of these tasks. */
async function checkLog(model: Model, service: ProvisioningTest) {
  const ids = model.tasks.map(({ id }) => id);
  const { rows } = await sql<{ event_type: string; n: number }>`
    select event_type, count(*) as n from event where subject_uuid = any(${ids}::uuid[]) group by 1`.execute(
    service.database.db,
  );
  const count = (type: string) => rows.find(({ event_type }) => event_type === type)?.n ?? 0;
  const inState = (status: TaskStatus) => model.tasks.filter((task) => task.status === status).length;
  expect({
    created: count('task.created'),
    dispatched: count('task.dispatched'),
    blocked: count('task.dispatch_blocked'),
    completed: count('task.completed'),
    failed: count('task.failed'),
    retried: count('task.retried'),
    cancelled: count('task.cancelled'),
    preempted: count('task.preempted'),
  }).toEqual({
    created: model.tasks.length,
    dispatched: model.dispatches,
    blocked: model.blocks,
    completed: inState('completed'),
    failed: inState('failed'),
    retried: model.tasks.filter(({ attempt }) => attempt > 1).length,
    cancelled: inState('cancelled'),
    preempted: inState('preempted'),
  });
}

let service: ProvisioningTest;
let runs = 0;
beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

const which = fc.nat(50);
const commands = [
  fc
    .tuple(which, fc.constantFrom(...ACTIONS), fc.constantFrom(0, 0, 0, 100, 1000))
    .map((given) => new Create(...given)),
  fc
    .tuple(which, fc.constantFrom(...ACTIONS), fc.constantFrom(0, 0, 0, 100, 1000))
    .map((given) => new Create(...given)),
  fc.constant(new List()),
  fc
    .tuple(which, fc.constantFrom('completed', 'with id', 'TIMEOUT', 'INTERNAL_ERROR'))
    .map(([index, outcome]) => new Report(index, outcome)),
  fc
    .tuple(which, fc.constantFrom('completed', 'with id', 'TIMEOUT', 'INTERNAL_ERROR'))
    .map(([index, outcome]) => new Report(index, outcome)),
  which.map((index) => new Cancel(index)),
  fc.constantFrom(10, 200, 2000).map((seconds) => new PassTime(seconds)),
  fc.constant(new Sync()),
];

test('tasks and accounts always match the model', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (sequence) => {
      const run = `r${runs++}`;
      const accounts: ModelAccount[] = [];
      for (const name of ['x', 'y']) {
        const user = await service.addUser(`${run}${name}@acme.example`);
        accounts.push({
          name: `${run}${name}`,
          user,
          uuid: null,
          status: null,
          idKnown: false,
          outside: null,
          deleted: false,
        });
      }
      const model = new Model(accounts);
      await fc.asyncModelRun(() => ({ model, real: service }), sequence);
      await checkLog(model, service);
    }),
    // A cluster takes several times as long for each step.
    { numRuns: service.database.engine === 'citus' ? 6 : 20 },
  );
});
