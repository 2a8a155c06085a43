import { expect, test } from 'vitest';
import { openFakeService } from '../../test/fake-service.ts';

const LEE = '0199b7f3-1111-7000-8000-000000000001';
const ADA = '0199b7f3-1111-7000-8000-000000000002';
const PEOPLE = [
  { external_uuid: ADA, email: 'ada.lee@acme.example' },
  { external_uuid: LEE, email: 'lee@acme.example' },
];

/** Runs the command against a service that knows these people, and returns what that was asked. */
async function open() {
  const { asked, run } = await openFakeService(({ method, path, body }) => {
    const email = new URL(path, 'http://x').searchParams.get('email')?.toLowerCase() ?? '';
    if (method === 'GET') return { count: 2, results: PEOPLE.filter((one) => one.email.includes(email)) };
    return {
      ...{ dry_run: (body as { dry_run: boolean }).dry_run, user: LEE, revoked_keys: 1 },
      accounts: [
        {
          ...{ app: { name: 'Payroll' }, email: '', username: 'lee', groups: 2, licenses: 0 },
          suspend: { outcome: 'ordered', task: null },
          delete: { outcome: 'ordered', task: null, execute_after: '2026-12-30T00:00:00.000Z' },
        },
      ],
      handed_over: { apps: { found: 2, moved: 1 }, review_items: { found: 0, moved: 0 } },
    };
  });
  return { asked, run: (...args: string[]) => run('offboard', ...args) };
}

test('offboard shows what would happen, and does it only with --apply', async () => {
  const { asked, run } = await open();
  const shown = await run('Lee@acme.example', '--reason', 'Left', '--hand-over-to', ADA);
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout.split('\n')).toEqual([
    'Payroll  lee  2 groups, 0 licenses  suspend: ordered  delete: ordered 2026-12-30T00:00:00.000Z',
    'apps: 1 of 2 handed over',
    'API keys revoked: 1',
    '',
  ]);
  expect(shown.stderr).toContain('Add --apply to offboard lee@acme.example.');
  expect(asked.at(-1)).toEqual({
    method: 'POST',
    path: `/api/users/${LEE}/offboard/`,
    body: {
      ...{ dry_run: true, reason: 'Left', reference: null, suspend: true },
      hand_over: { accounts: ADA, apps: ADA, reports: ADA, decisions: ADA },
    },
  });

  const args = ['--reason', 'Left', '--no-suspend', '--delete-after-days', 'never', '--apply', '--json'];
  const done = await run(LEE, ...args);
  expect(JSON.parse(done.stdout)).toMatchObject({ dry_run: false });
  expect(done.stderr).toBe('');
  expect(asked.at(-1)?.body).toMatchObject({ dry_run: false, suspend: false, delete_after_days: null });
});

test('offboard refuses unknown people and days before it asks for anything to end', async () => {
  const { asked, run } = await open();
  const unknown = await run('acme.example', '--reason', 'Left', '--apply');
  expect(unknown).toMatchObject({ code: 2, stderr: 'error: nobody has the email acme.example\n' });
  const days = await run(LEE, '--reason', 'Left', '--apply', '--delete-after-days', 'soon');
  expect(days.code).toBe(2);
  expect(days.stderr).toContain('from 0 to 3650, or never');
  expect((await run(LEE, '--apply')).stderr).toContain('--reason');
  expect(asked.filter(({ path }) => path.includes('offboard'))).toEqual([]);
});
