import { expect, test } from 'vitest';
import { endingOf, isStoppedByGuard } from './outcome.ts';

const exited = { ending: 'exited', code: 0, killedBy: null, log: '' } as const;
const running = { stopped: undefined, limitMs: 1000 };

test('leaves out of results and logs the characters that PostgreSQL cannot store', () => {
  const record = { id: 'a\0b', name: 'half \ud83d', ['x\0']: ['\udc00'] };
  const { result, log } = endingOf(
    'preview',
    { ...exited, output: JSON.stringify({ types: [record] }), log: 'nul \0 half \ud83d' },
    running,
  );

  expect(result).toEqual({ types: [{ id: 'ab', name: 'half \ufffd', x: ['\ufffd'] }] });
  expect(log).toBe('nul  half \ufffd');
});

test('takes the last error of the log, of bounded length, as the reason', () => {
  const { state, error } = endingOf(
    'sync',
    {
      ...exited,
      code: 1,
      output: '',
      log: `error: first\nrefused: x\nerror: ${'\ud83d\ude00'.repeat(3000)}\n`,
    },
    running,
  );

  expect(state).toBe('failed');
  expect(error?.length).toBeLessThanOrEqual(2000);
  expect(error?.isWellFormed()).toBe(true);
});

test('says that the guard has stopped a sync, without the advice about a command line', () => {
  const log =
    'error: stopped by the guard: 5 of 10 accounts would be removed (50 %; the guard allows 30 %). ' +
    'Pushed records are kept and nothing was removed. To remove them, run with --guard off\n';

  const ending = endingOf('sync', { ...exited, code: 5, output: '', log }, running);

  expect(ending).toMatchObject({
    state: 'failed',
    error:
      'The guard has stopped the sync: 5 of 10 accounts would be removed (50 %; the guard allows 30 %). ' +
      'Nothing was removed. If the removals are right, start a sync that accepts them.',
    result: { pushed: true },
  });
  expect(isStoppedByGuard({ ...ending, kind: 'sync' })).toBe(true);
  expect(isStoppedByGuard({ ...ending, kind: 'sync', error: 'Another reason.' })).toBe(false);
});
