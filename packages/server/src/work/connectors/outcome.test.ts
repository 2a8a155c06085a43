import { expect, test } from 'vitest';
import { endingOf } from './outcome.ts';

const exited = { ending: 'exited', code: 0, killedBy: null, log: '' } as const;
const running = { stopped: undefined, stallMs: 1_800_000, limitMs: 1000 };

test('leaves out of results and logs the characters that PostgreSQL cannot store', () => {
  const record = { id: 'a\0b', name: 'half \ud83d', ['x\0']: ['\udc00'] };
  const { result, log } = endingOf(
    'preview',
    { ...exited, output: JSON.stringify({ version: 1, types: [record] }), log: 'nul \0 half \ud83d' },
    running,
  );

  expect(result).toEqual({ types: [{ id: 'ab', name: 'half \ufffd', x: ['\ufffd'] }] });
  expect(log).toBe('nul  half \ufffd');
});

test('takes the reason that the connector gives, of bounded length', () => {
  const output = JSON.stringify({ version: 1, outcome: 'failed', error: '\ud83d\ude00'.repeat(3000) });

  const { state, error, result } = endingOf('sync', { ...exited, code: 1, output }, running);

  expect(state).toBe('failed');
  expect(result).toBe(null);
  expect(error?.length).toBeLessThanOrEqual(2000);
  expect(error?.isWellFormed()).toBe(true);
});

test('knows from the outcome whether the system refused the credentials or could not be reached', () => {
  const problemOf = (outcome: string) =>
    endingOf(
      'sync',
      { ...exited, code: 5, output: JSON.stringify({ version: 1, outcome, error: 'x' }) },
      running,
    ).problem;

  expect(['credentials_refused', 'unreachable', 'failed'].map(problemOf)).toEqual([
    'credentials_refused',
    'unreachable',
    null,
  ]);
});

test('takes no reason from the log, and none from a result of another version', () => {
  const log = 'error: stopped by the guard: 5 of 10 accounts would be removed (50 %; the guard allows 30 %).';
  for (const output of ['', 'null', '[]', JSON.stringify({ version: 2, outcome: 'failed', error: 'x' })]) {
    expect(endingOf('sync', { ...exited, code: 5, output, log }, running)).toMatchObject({
      state: 'failed',
      error: 'The sync was abandoned. Nothing was removed.',
      counts: null,
      result: null,
    });
    expect(endingOf('tasks', { ...exited, code: 9, output, log }, running)).toMatchObject({
      error: 'The connector ended with exit code 9, and did not say why.',
    });
    expect(endingOf('sync', { ...exited, output, log }, running)).toMatchObject({
      state: 'succeeded',
      counts: null,
    });
  }
});

test('says that the guard has stopped a sync, without the advice about a command line', () => {
  const objection = '5 of 10 accounts would be removed (50 %; the guard allows 30 %)';
  const output = JSON.stringify({
    version: 1,
    outcome: 'stopped_by_guard',
    objection,
    error: `stopped by the guard: ${objection}. To remove them, run with --guard off`,
  });

  expect(endingOf('sync', { ...exited, code: 5, output }, running)).toMatchObject({
    state: 'failed',
    error:
      'The guard has stopped the sync: 5 of 10 accounts would be removed (50 %; the guard allows 30 %). ' +
      'Nothing was changed. If this is right, start a sync that accepts it.',
    result: { outcome: 'stopped_by_guard' },
  });
});

test('takes the outcomes of a sync from syncs only, and no reason that is not a text', () => {
  const guard = JSON.stringify({
    version: 1,
    outcome: 'stopped_by_guard',
    objection: 'x',
    error: 'it failed',
  });
  expect(endingOf('tasks', { ...exited, code: 1, output: guard }, running)).toMatchObject({
    error: 'It failed.',
    result: null,
  });
  for (const error of ['', null, { x: 1 }]) {
    const output = JSON.stringify({ version: 1, outcome: 'failed', error });
    expect(endingOf('sync', { ...exited, code: 4, output }, running).error).toBe(
      'The system or Gatehouse refused the credentials.',
    );
  }
});
