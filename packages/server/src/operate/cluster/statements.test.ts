// @module-tag engine

import { afterAll, describe, expect, inject, test } from 'vitest';
import { expireSessions } from '#directory/sign-in/expiry.ts';
import { withLiterals } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp } from '#test/app.ts';
import { type Recording, readRecording, recordingFolder, type Statement } from '#test/statements.ts';

const { engine } = inject('prepared');
const service = await openTestApp({ jobs: true });
afterAll(service.close);

describe.runIf(engine === 'postgres')('the recording', () => {
  test('has the statements of the server with their values, and none of a test', {
    tags: ['long'],
  }, async () => {
    const { db } = service.database;
    await service.call('POST', '/api/v1/bridge/apps/', { name: 'Recorded' });
    await sql`select ${'a test'}::text as sent_by_a_test`.execute(db);
    await expireSessions(db, 1);

    const { statements } = await readRecording(inject('recording').folder, process.pid);

    const insertion = statements.find(({ text }) => /insert into app\b/.test(text));
    expect(insertion).toMatchObject({
      isAcross: false,
      where: expect.stringMatching(/^src\/inventory\/apps\/.*:\d+$/),
    });
    expect(statements.some(({ text }) => text.includes('sent_by_a_test'))).toBe(false);
    const across = statements.filter(({ text }) =>
      text.includes('select distinct org_id from sign_in_session'),
    );
    expect(across).toMatchObject([{ isAcross: true }]);
  });
});

/** A publication joins its relations, which are not temporary tables on a cluster (queries/relations.ts). */
const OF_RELATION = /\bpg_temp\.|^\s*create temp table \S+ \(/i;

const PLANNED =
  /^\s*(--[^\n]*\n\s*)*\(?\s*(select|insert|update|delete|merge|with|values|create temp table)\b/i;

/** About the version of the server and its standby, which belong to the connection and not to a shard. */
const OF_CONNECTION = /^src\/kit\/database\/(postgres|replica|replica-reader)\.ts:/;

/** Fills an empty database, before a cluster has distributed its tables. */
const OF_MOVE = /^src\/operate\/move\//;

const isPlanned = ({ text, where }: Statement) =>
  PLANNED.test(text) && !OF_RELATION.test(text) && !OF_CONNECTION.test(where) && !OF_MOVE.test(where);

/** A partition of a month that only a test has. The plan is that of its whole table. */
const OF_MONTH = /"([a-z_]+)_\d{4}_\d{2}"/g;

/** Fewer statements than a whole run records by far: something is wrong with the recorder. */
const MINIMUM = 800;

/** Throws if a recording cannot be that of a whole run. */
function requireWhole({ missing, statements }: Recording) {
  expect(missing, 'test files that did not run on PostgreSQL').toEqual([]);
  const texts = statements.filter(isPlanned).map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(MINIMUM);
  for (const known of ['insert into sync_page', 'select append_events(', 'update task', 'insert into app ']) {
    expect(texts.some((text) => text.includes(known))).toBe(true);
  }
}

describe.runIf(engine === 'citus')('on a cluster', () => {
  /** Plans a statement with its values, as the server would send it. Throws if it does not go to one shard. */
  async function plan({ text, isAcross, values }: Statement) {
    const sent = values.map((value) =>
      value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value,
    );
    await service.database.exec(`
      set local citus.multi_task_query_log_level = ${isAcross ? 'off' : 'error'};
      explain ${withLiterals(text.replaceAll(OF_MONTH, '"$1"'), sent)}`);
  }

  test('each statement that the server sends to PostgreSQL goes to one shard', async ({ skip }) => {
    const recording = await readRecording(await recordingFolder());
    const isRequired = process.env.CI !== undefined;
    skip(
      !isRequired && recording.statements.length === 0,
      'Run the tests on PostgreSQL first: they record the statements of the server as it is now.',
    );
    if (isRequired) requireWhole(recording);

    const failures: string[] = [];
    for (const statement of recording.statements.filter(isPlanned)) {
      await plan(statement).catch((error: Error) => failures.push(failureOf(statement, error)));
    }

    expect(failures, failures.join('\n')).toEqual([]);
  }, 600_000);

  test('an empty recording is not that of a whole run', async () => {
    const none = await readRecording('/nonexistent');

    expect(() => requireWhole(none)).toThrow('test files that did not run');
    expect(() => requireWhole({ ...none, missing: [] })).toThrow(String(MINIMUM));
  });

  const ONE = '0198a3a0-0000-7000-8000-000000000001';
  const statement = (text: string, values: Statement['values'] = []) => ({
    text,
    values,
    where: 'here',
    isAcross: false,
  });

  test('a statement without the organization is found', async () => {
    const accounts = 'select id, email from account where app_id = $1';

    await expect(plan(statement(accounts, [ONE]))).rejects.toThrow('multi-task query');
    await plan(statement(`${accounts} and org_id = $2`, [ONE, ONE]));
    await expect(
      plan(statement(`${accounts} and ($2::uuid is null or org_id = $2)`, [ONE, null])),
    ).rejects.toThrow('multi-task query');
    await plan({ ...statement(accounts, [ONE]), isAcross: true });
  });

  test('a statement that a cluster cannot run is found', async () => {
    await expect(
      plan({ ...statement('select id from account for update skip locked'), isAcross: true }),
    ).rejects.toThrow('could not run distributed query with FOR UPDATE/SHARE');
  });
});

const failureOf = ({ where, text }: Statement, { message }: Error) =>
  `${where}: ${message}\n${text.replace(/\s+/g, ' ').slice(0, 300)}`;
