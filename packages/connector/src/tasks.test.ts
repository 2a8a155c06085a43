import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createRedactor } from '../../protocol/src/redact.ts';
import { connector } from '../test/sample/connector.ts';
import { Directory } from '../test/sample/directory.ts';
import type { Fault } from './conformance/service/fault.ts';
import { startScriptedService } from './conformance/service/scripted.ts';
import type { Connector } from './define.ts';
import { TaskError } from './errors.ts';
import { silent } from './progress.ts';
import { type Action, createService, type Task } from './service.ts';
import { openState } from './state.ts';
import { type Run, registerTypes, runSync } from './sync.ts';
import { workOffTasks } from './tasks.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function place(faults: Fault[] = [], using: Connector = connector) {
  const service = await startScriptedService(faults);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tasks-'));
  cleanups.push(
    () => service.close(),
    () => rmSync(folder, { recursive: true }),
  );
  const directory = Directory.create(join(folder, 'people.json'), 5);
  const outbox = join(folder, 'outbox');
  const app = service.world.createApp('sample').id;
  const { signal } = new AbortController();
  const client = createService({ url: service.url, key: service.key, log: silent, signal, pause: 1 });
  await registerTypes({ connector: using, service: client, app });
  /** A second process would use the same state folder. */
  const process = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
    const state = openState(join(folder, 'state'));
    const system = await using.connect(
      { file: directory.path, key: 'write', outbox },
      { signal, log: silent },
    );
    const run = {
      connector: using,
      system,
      service: client,
      app,
      state,
      progress: silent,
      redactor: createRedactor(),
      signal,
    };
    try {
      return await work(run);
    } finally {
      state.close();
    }
  };
  const add = (action: Action, payload: Task['payload']) =>
    service.world.addTask(app, 'person', action, payload).id;
  const outcome = (id: string) => service.world.find(app).tasks.get(id);
  return { service, app, directory, outbox, process, add, outcome };
}

const ada = { id: 'our-own-id', username: 'ada', email: 'ada@acme.example' };

describe('each action', () => {
  test('create_account is executed, reported, delivered, and pushed with its real id', async () => {
    const { service, app, directory, outbox, process, add, outcome } = await place();
    const task = add('create_account', {
      account: ada,
      memberships: { team: [{ id: 'red', name: 'Team red' }] },
    });
    expect(await process(workOffTasks)).toEqual({ completed: 1, failed: 0, unreported: 0 });
    expect(outcome(task)?.status).toBe('completed');
    expect(directory.read().people.p000005).toMatchObject({ username: 'ada', teams: ['red'] });
    expect(JSON.parse(readFileSync(outbox, 'utf8'))).toEqual({
      account: 'p000005',
      password: directory.read().people.p000005?.password,
    });
    expect(service.world.inventory(app).person).toEqual([
      expect.objectContaining({ id: 'p000005', username: 'ada' }),
    ]);
    expect(service.calls.some((call) => call.endsWith('/complete'))).toBe(false);
  });

  test('update, suspend, unsuspend, reset and delete are executed', async () => {
    const { directory, process, add, outcome } = await place();
    const account = { id: 'p000001' };
    const person = () => directory.read().people.p000001;
    const once = async (action: Action, more: Task['payload'] = {}) => {
      const task = add(action, { account, ...more });
      await process(workOffTasks);
      expect(outcome(task)).toMatchObject({ status: 'completed' });
    };
    await once('update_account', {
      changes: { team: { added: [{ id: 'red' }], removed: [{ id: 'green' }] } },
    });
    expect(person()?.teams).toEqual(['red']);
    await once('suspend_account');
    expect(person()?.suspended).toBe(true);
    await once('unsuspend_account');
    expect(person()?.suspended).toBe(false);
    await once('reset_password');
    expect(person()?.password).not.toBeNull();
    await once('delete_account');
    expect(person()).toBeUndefined();
  });

  test('tasks of one account run in order of creation', async () => {
    const { service, app, directory, process, add } = await place();
    for (const action of ['suspend_account', 'unsuspend_account', 'delete_account'] as const) {
      add(action, { account: { id: 'p000002' } });
    }
    const listed = [...service.world.find(app).tasks.values()];
    listed.forEach((task, at) => {
      task.created_at = new Date(at).toISOString();
    });
    await process(workOffTasks);
    expect(directory.read().log).toEqual(['suspend p000002', 'unsuspend p000002', 'remove p000002']);
  });
});

describe('failures are reported with the codes of the protocol', () => {
  test.each<[string, Partial<NonNullable<Connector['tasks']>>, string, string]>([
    ['a TaskError', {}, 'ACCOUNT_NOT_FOUND', 'nobody does not exist'],
    [
      'an error that mapError maps',
      { suspend: () => Promise.reject(Object.assign(new Error('slow down'), { code: 'E429' })) },
      'RATE_LIMITED',
      'slow down',
    ],
    ['any other error', { suspend: () => Promise.reject(new Error('boom')) }, 'INTERNAL_ERROR', 'boom'],
    [
      'a password in a message',
      { suspend: () => Promise.reject(new Error('no: write-only-secret')) },
      'INTERNAL_ERROR',
      'no: [redacted]',
    ],
    [
      'an operation that never ends',
      { suspend: () => new Promise(() => {}) },
      'TIMEOUT',
      'did not respond in time',
    ],
  ])('%s', async (_, tasks, code, message) => {
    const using: Connector = {
      ...connector,
      tasks: { ...connector.tasks, ...tasks },
      mapError: (error) =>
        (error as { code?: string }).code === 'E429' ? new TaskError('RATE_LIMITED', 'slow down') : undefined,
    };
    const { process, add, outcome } = await place([], using);
    const task = add('suspend_account', { account: { id: 'nobody' } });
    await process((run) => {
      run.redactor.add('write-only-secret');
      return workOffTasks({ ...run, taskTimeout: 50 });
    });
    expect(outcome(task)).toMatchObject({
      status: 'failed',
      error: { code, message: expect.stringContaining(message) },
    });
  });

  test('reports an unsupported action', async () => {
    const { process, add, outcome } = await place([], { ...connector, tasks: {} });
    const task = add('delete_account', { account: { id: 'p000001' } });
    await process(workOffTasks);
    expect(outcome(task)?.error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'the connector sample does not support delete_account',
    });
  });

  test('fails a reset whose password cannot be delivered, without showing the password', async () => {
    const using: Connector = {
      ...connector,
      deliver: (_, { password }) => Promise.reject(new Error(`mail refused "${password}"`)),
    };
    const { process, add, outcome, directory } = await place([], using);
    const task = add('reset_password', { account: { id: 'p000001' } });
    await process(workOffTasks);
    expect(outcome(task)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
    const password = directory.read().people.p000001?.password ?? '';
    expect(password).not.toBe('');
    expect(outcome(task)?.error?.message).not.toContain(password);
  });
});

describe('exactly once', () => {
  const suspend = async (fault: Fault, rounds: number) => {
    const all = await place([fault]);
    const task = all.add('suspend_account', { account: { id: 'p000003' } });
    for (let round = 0; round < rounds; round++) await all.process(workOffTasks);
    return { ...all, task };
  };

  test.each<[string, Fault, number]>([
    ['the report is lost on its way', { on: /^PATCH/, nth: 1, what: 'drop', times: 6 }, 2],
    ['the answer to the report is lost', { on: /^PATCH/, nth: 1, what: 'lose' }, 1],
    ['the service fails on the report', { on: /^PATCH/, nth: 1, what: 'crash', times: 7 }, 2],
  ])('%s: executed once, reported in the end', async (_, fault, rounds) => {
    const { directory, task, outcome } = await suspend(fault, rounds);
    expect(directory.read().log).toEqual(['suspend p000003']);
    expect(outcome(task)?.status).toBe('completed');
  });

  test('does not repeat a report after 409', async () => {
    const { service, process, directory } = await suspend({ on: /^PATCH/, nth: 1, what: 'conflict' }, 1);
    const reports = () => service.calls.filter((call) => call.startsWith('PATCH')).length;
    expect(reports()).toBe(1);
    await process(async ({ state }) => expect(state.listJournal()).toEqual([]));
    expect(directory.read().log).toHaveLength(1);
  });

  test('finishes a create that was interrupted after the account was created', async () => {
    const { directory, process, add, outcome } = await place();
    const task = add('create_account', { account: ada, memberships: { team: [{ id: 'blue' }] } });
    await process(async ({ state }) => state.writeJournal(task, 'begun', { absent: true }));
    const { id } = directory.add(ada, []);
    await process(workOffTasks);
    expect(outcome(task)?.status).toBe('completed');
    expect(directory.read().people[id]?.teams).toEqual(['blue']);
    expect(directory.read().log.filter((line) => line.startsWith('add'))).toHaveLength(1);
  });

  test('fails a create for an account that existed before, and reports which one', async () => {
    const { process, add, outcome, directory } = await place();
    const { id } = directory.add({ ...ada, email: 'other@acme.example' }, []);
    const task = add('create_account', { account: ada, memberships: {} });
    await process(workOffTasks);
    expect(outcome(task)?.error?.code).toBe('ACCOUNT_ALREADY_EXISTS');
    expect(outcome(task)?.result).toEqual({ account: { id, email: 'other@acme.example' } });
  });

  test('does not finish an interrupted create with an account that somebody else got in the meantime', async () => {
    const { directory, process, add, outcome } = await place();
    const task = add('create_account', { account: ada, memberships: { team: [{ id: 'blue' }] } });
    await process(async ({ state }) => state.writeJournal(task, 'begun', { absent: true }));
    const { id } = directory.add({ ...ada, email: 'other@acme.example' }, []);
    await process(workOffTasks);
    expect(outcome(task)).toMatchObject({ status: 'failed', error: { code: 'ACCOUNT_ALREADY_EXISTS' } });
    expect(directory.read().people[id]?.teams).toEqual([]);
  });

  test('completes a delete that was interrupted after the account was deleted', async () => {
    const { process, add, outcome, directory } = await place();
    const task = add('delete_account', { account: { id: 'p000004' } });
    await process(async ({ state }) => state.writeJournal(task, 'begun', { absent: false }));
    directory.remove('p000004');
    await process(workOffTasks);
    expect(outcome(task)?.status).toBe('completed');
  });

  test('rejects a second worker of the same app at the same time', async () => {
    const { process } = await place();
    await process(async (run) => {
      const lock = run.state.lock('tasks');
      await expect(workOffTasks(run)).rejects.toThrow(/another process is working/);
      lock.release();
    });
  });

  test('pushes a created account after a running full sync has ended', async () => {
    const { service, app, process, add, outbox } = await place();
    const task = add('create_account', { account: ada, memberships: {} });
    await process(async (run) => {
      const lock = run.state.lock('sync');
      await workOffTasks(run);
      expect(service.world.find(app).tasks.get(task)?.status).toBe('completed');
      expect(service.world.inventory(app)).toEqual({});
      lock.release();
      await workOffTasks(run);
    });
    expect(service.world.inventory(app).person).toHaveLength(1);
    expect(existsSync(outbox)).toBe(true);
    await process(runSync);
    expect(service.world.inventory(app).person).toHaveLength(6);
  });
});

test.each(['with', 'without'])(
  'a stranger whom find() returns after a killed run gets nothing, %s get()',
  async (which) => {
    const careless = {
      ...connector,
      tasks: { ...connector.tasks, find: async () => 'p000001' },
      accounts: {
        person: { ...connector.accounts.person, ...(which === 'without' ? { get: undefined } : {}) },
      },
    } as unknown as Connector;
    const { process, add, outcome, directory } = await place([], careless);
    const before = directory.read().people;
    const task = add('create_account', { account: ada, memberships: { team: [{ id: 'blue' }] } });
    await process(async (run) => {
      run.state.writeJournal(task, 'begun', { absent: true });
      await workOffTasks(run);
    });
    expect(outcome(task)).toMatchObject({
      status: 'failed',
      error: {
        message: expect.stringMatching(/found the account p000001 \(person1\) for ada, .*somebody else's/),
      },
    });
    expect(directory.read().people).toEqual(before);
  },
);

test('a creation knows which accounts the last sync listed', async () => {
  const asked: boolean[] = [];
  const curious: Connector = {
    ...connector,
    tasks: {
      ...connector.tasks,
      create: async (_system, _task, context) => {
        asked.push(context.isKnown?.('p000001') === true, context.isKnown?.('p999999') === true);
        throw new TaskError('PERMISSION_DENIED', 'no');
      },
    },
  };
  const { process, add } = await place([], curious);
  add('create_account', { account: ada, memberships: {} });
  await process(async (run) => {
    await runSync(run, { guard: null });
    await workOffTasks(run);
  });
  expect(asked).toEqual([true, false]);
});
