import { expect, test } from 'vitest';
import { openFakeService } from '../../test/fake-service.ts';

const link = (step: string, state: string, more = {}) => ({
  ...{ step, state, at: null, by: null, label: `It is ${state}.` },
  ...more,
});
const proof = {
  links: [
    link('decided', 'done', { at: '2026-11-01T08:00:00.000Z', by: { email: 'ada@acme.example' } }),
    link('seen_gone', 'waiting'),
  ],
};

test('proof prints a line for each link, or JSON', async () => {
  const { asked, run } = await openFakeService(() => proof);

  const { stdout, stderr, code } = await run('proof', 't1');
  expect(code, stderr).toBe(0);
  expect(stdout.split('\n').map((line) => line.trim())).toEqual([
    'decided    done     2026-11-01T08:00:00.000Z  It is done.     ada@acme.example',
    'seen_gone  waiting  -                         It is waiting.',
    '',
  ]);
  expect(asked).toMatchObject([{ method: 'GET', path: '/api/tasks/t1/proof/' }]);
  const json = await run('proof', 't1', '--json');
  expect(JSON.parse(json.stdout)).toEqual(proof);
});
