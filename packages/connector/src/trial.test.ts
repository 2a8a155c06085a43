import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { type Connector, defineConnector, type ListContext } from './define.ts';
import { Exit, Failure, TaskError } from './errors.ts';
import { runCommandLine } from './main.ts';

type System = { password: string };
type Options = {
  connect?: () => System;
  check?: (() => unknown) | undefined;
  users?: (system: unknown, context: ListContext) => AsyncIterable<unknown> | Iterable<unknown>;
  teams?: (system: unknown, context: ListContext) => Iterable<unknown>;
  hasGroups?: boolean;
};

const userOf = (n: number) => ({ id: `u${n}`, username: `user${n}` });
const users = (count: number) => Array.from({ length: count }, (_, n) => userOf(n));

function connectorOf({
  connect = () => ({ password: '' }),
  check,
  users: list = () => users(3),
  teams = () => [],
  hasGroups = true,
}: Options): Connector {
  return defineConnector({
    name: 'sample',
    version: '1.0.0',
    config: {},
    connect,
    ...(check === undefined ? {} : { check }),
    ...(hasGroups ? { groups: { team: { name: 'Teams', list: teams as never } } } : {}),
    accounts: { user: { name: 'Users', list: list as never } },
  }) as unknown as Connector;
}

async function run(
  command: 'check' | 'test' | 'preview' | 'list',
  options: Options,
  args = ['--json'],
  signal = new AbortController().signal,
) {
  const output: string[] = [];
  const log: string[] = [];
  const code = await runCommandLine(connectorOf(options), [command, ...args], {
    env: {},
    stdin: process.stdin,
    stdout: { write: (text: string) => output.push(text) },
    stderr: { write: (text: string) => log.push(text) },
    signal,
  });
  const said = output.join('');
  return {
    code,
    said,
    log: log.join(''),
    result: args.includes('--json') && said !== '' ? JSON.parse(said) : null,
  };
}

const fail = (message: string, code?: string) => () => {
  throw Object.assign(new Error(message), code === undefined ? {} : { code });
};

test('a test reaches the system, signs in and lists each type', async () => {
  const { code, result } = await run('test', { check: () => {} });

  expect(code).toBe(0);
  expect(result).toMatchObject({
    ok: true,
    steps: [
      { step: 'reach', status: 'ok', message: 'The system replied.' },
      { step: 'sign_in', status: 'ok', message: 'The credentials work.' },
      { step: 'list', type: 'team', status: 'ok', message: 'There are no records.' },
      { step: 'list', type: 'user', status: 'ok', message: 'The first page has 3 records.' },
    ],
  });
});

test('a connector without a check signs in when it lists', async () => {
  const { result } = await run('test', {});

  expect(result.ok).toBe(true);
  expect(result.steps[1]).toMatchObject({
    step: 'sign_in',
    status: 'skipped',
    message: 'This connector signs in when it lists.',
  });
});

test('a test distinguishes an unreachable system from wrong credentials', async () => {
  const skipped = { status: 'skipped', message: 'An earlier step failed.' };
  const unreachable = await run('test', { check: fail('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED') });
  const refused = await run('test', { check: fail('the password is wrong') });

  expect([unreachable.code, refused.code]).toEqual([1, 1]);
  expect(unreachable.result.steps).toMatchObject([
    {
      step: 'reach',
      status: 'failed',
      message: expect.stringMatching(/^The server refused the connection: /),
    },
    { step: 'sign_in', ...skipped },
    { step: 'list', type: 'team', ...skipped },
    { step: 'list', type: 'user', ...skipped },
  ]);
  expect(refused.result).toMatchObject({
    ok: false,
    steps: [
      { step: 'reach', status: 'ok' },
      { step: 'sign_in', status: 'failed', message: 'The password is wrong.' },
      { step: 'list', ...skipped },
      { step: 'list', ...skipped },
    ],
  });
});

test.each([
  [
    'an unknown host',
    () => lookup('no-such-host.invalid'),
    /^The name no-such-host.invalid could not be resolved/,
  ],
  ['an invalid address', async () => new URL('no address'), /^Invalid URL/],
])('%s fails before the sign-in', async (_, reach, message) => {
  const { result } = await run('test', { check: reach });

  expect(result.steps.slice(0, 2)).toMatchObject([
    { step: 'reach', status: 'failed', message: expect.stringMatching(message) },
    { step: 'sign_in', status: 'skipped' },
  ]);
});

test('a connector without a check is not reached if its first list cannot connect', async () => {
  const { result } = await run('test', {
    users: fail('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
    hasGroups: false,
  });

  expect(result.steps).toMatchObject([
    {
      step: 'reach',
      status: 'failed',
      message: expect.stringMatching(/^The server refused the connection: /),
    },
    { step: 'sign_in', status: 'skipped' },
    { step: 'list', status: 'skipped' },
  ]);
});

test('a cause that the network reports means that the system was not reached', async () => {
  const cause = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  const { result } = await run('test', {
    connect: () => {
      throw new Error('fetch failed', { cause });
    },
  });

  expect(result.steps[0]).toMatchObject({ step: 'reach', status: 'failed' });
});

test('a type that cannot be listed fails, and the others are listed nevertheless', async () => {
  const { code, said } = await run('test', { users: fail('no such table: users') }, []);

  expect(code).toBe(1);
  expect(said.trimEnd().split('\n').slice(2)).toEqual([
    'ok      list team: There are no records.',
    'failed  list user: No such table: users.',
  ]);
});

test('a test and a preview stop after the first records', async () => {
  let read = 0;
  async function* endless() {
    for (;;) yield userOf(read++);
  }

  expect((await run('test', { users: endless })).result.steps.at(-1).message).toBe(
    'The first 1000 records can be read.',
  );
  expect(read).toBeLessThan(1005);
  read = 0;
  const { code, result } = await run('preview', { users: endless });
  expect([code, result.types[1].records.length, result.types[1].more]).toEqual([0, 20, true]);
  expect(read).toBeLessThan(25);
});

test.each<[string, NonNullable<Options['users']>, string]>([
  [
    'that yields pages',
    function* () {
      yield { records: users(5) };
      fail('the address of the second page is wrong')();
    },
    'The address of the second page is wrong.',
  ],
  [
    'that yields records',
    function* (_, { mayShift }) {
      yield* users(100);
      mayShift();
      fail('the address of the second page is wrong')();
    },
    'The address of the second page is wrong.',
  ],
  [
    'that yields pages, of which the second one is empty',
    function* () {
      yield { records: users(5) };
      yield { records: [] };
    },
    'The first page has 5 records.',
  ],
  [
    'with a third page, which is not read',
    function* () {
      yield { records: users(5) };
      yield { records: users(3) };
      fail('this page is not needed')();
    },
    'The first page has 5 records, and the second one can be read.',
  ],
  [
    'that yields records, and reads its third page too early',
    function* (_, { mayShift }) {
      yield* users(100);
      mayShift();
      yield userOf(101);
      fail('this page is not needed')();
    },
    'The first page has 100 records, and the second one can be read.',
  ],
])('a test reads up to the second page of a list %s', async (_, list, message) => {
  const { result } = await run('test', { users: list });

  expect(result.steps.at(-1).message).toBe(message);
});

test('a test says what the first pages do not show, and which names look alike', async () => {
  const teams: NonNullable<Options['teams']> = function* (_, { unseen }) {
    unseen({ slug: 'team', id: 't1', rule: 'foreign', count: 12 });
    unseen({ slug: 'team', id: 't2', rule: 'foreign', count: 1 });
    unseen({ slug: 'user', rule: 'range', count: 1 });
    yield { id: 't1', name: 'Admins' };
    yield { id: 't2', name: 'Ad\u200bmins' };
  };
  const { result, log } = await run('test', { teams });

  expect(result.steps.slice(2)).toMatchObject([
    {
      message:
        'The first page has 2 records. Not shown: 13 members of 2 team of another system, 1 user record outside the range of the settings.',
      unseen: [
        { slug: 'team', type: 'group', rule: 'foreign', records: 0, members: 13, of: 2 },
        { slug: 'user', type: 'account', rule: 'range', records: 1, members: 0, of: 0 },
      ],
    },
    { message: 'The first page has 3 records.' },
  ]);
  expect(result.steps[3]).not.toHaveProperty('unseen');
  expect(log).toBe("warning: these names look alike and are different: team 'Admins' and 'Ad[U+200B]mins'\n");
});

test('a preview has the records as a sync would push them, and those that it would skip', async () => {
  const found = [...users(2), { id: '', username: 'nobody' }];
  const json = await run('preview', { users: () => found });
  const { said, code } = await run('preview', { users: () => found }, []);

  expect(json.result.types).toMatchObject([
    { slug: 'team', type: 'group', name: 'Teams', records: [], more: false, skipped: [] },
    { slug: 'user', type: 'account', records: users(2), more: false, skipped: [{ id: '' }] },
  ]);
  expect([code, json.code]).toEqual([5, 5]);
  expect(json.result.types[1].skipped[0].reason).toMatch(/^[A-Z].*[.]$/);
  expect(said).toContain('user: 2 records\n  {"id":"u0","username":"user0"}\n');
  expect(said).toContain("  skipped '': ");
});

test.each([
  ['credentials_refused', new TaskError('PERMISSION_DENIED', 'the password is wrong')],
  [
    'credentials_refused',
    new Failure('listing failed', Exit.abandoned, { cause: new TaskError('PERMISSION_DENIED', 'no') }),
  ],
  ['unreachable', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['failed', new Error('the disk is full')],
])('a failure says in its outcome: %s', async (outcome, error) => {
  const connect = () => {
    throw error;
  };
  const { said } = await run('preview', { connect });

  expect(JSON.parse(said)).toMatchObject({ outcome });
});

test('a preview of a system that refuses the sign-in ends with an error', async () => {
  const { code, said, log } = await run('preview', { connect: fail('the password is wrong') });

  expect([code, log]).toEqual([1, 'error: the password is wrong\n']);
  expect(JSON.parse(said)).toEqual({ version: 1, outcome: 'failed', error: 'the password is wrong' });
});

test.each([
  ['check', 'connect'],
  ['check', 'check'],
  ['test', 'connect'],
  ['test', 'check'],
  ['test', 'users'],
  ['preview', 'users'],
  ['list', 'users'],
] as const)('an interrupted %s ends although the system never replies to %s', async (command, waiting) => {
  const interruption = new AbortController();
  const hang = () => {
    setImmediate(() => interruption.abort(new Failure('interrupted', Exit.interrupted)));
    return new Promise<never>(() => {});
  };
  const hangingUsers = async function* () {
    yield userOf(1);
    await hang();
  };
  const options = { [waiting]: waiting === 'users' ? hangingUsers : hang } as Options;

  const { code, log } = await run(command, options, [], interruption.signal);

  expect({ code, log }).toEqual({
    code: Exit.interrupted,
    log: expect.stringContaining('error: interrupted'),
  });
});
