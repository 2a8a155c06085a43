import type { Api } from './api.ts';
import { accountsOf } from './seed-apps.ts';
import { MARKUP } from './seed-company.ts';
import type { Seeded } from './seeded.ts';

const TASK_FAILURES = [
  ['ACCOUNT_NOT_FOUND', 'No user with id 005107 in the CRM.'],
  ['LICENSE_EXHAUSTED', 'All 10 seats of "Analytics add-on" are in use.'],
  ['PERMISSION_DENIED', 'The integration user may not change profiles with "Manage Users".'],
  ['RATE_LIMITED', 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.'],
  ['TIMEOUT', 'No answer from crm.internal:443 within 30 seconds.'],
  ['INTERNAL_ERROR', `Unexpected token in answer: ${MARKUP}`],
] as const;

/** Creates tasks in each state. */
export async function workOnTasks(
  api: Api,
  { crm, code, directory }: Seeded['apps'],
  people: Record<string, string>,
): Promise<Seeded['tasks']> {
  const sellers = await accountsOf(api, crm);
  const accountAt = (at: number) => sellers[at]?.external_uuid;
  const create = async (task: object) => (await api.post('/api/tasks/', task)).external_uuid as string;
  const report = (app: string, task: string, body: object) =>
    api.patch(`/api/v1/bridge/apps/${app}/tasks/${task}/status/`, body);
  const dispatch = (app: string) => api.get(`/api/v1/bridge/apps/${app}/tasks/?status=pending`);

  const failing: string[] = [];
  for (const [at, [code_]] of TASK_FAILURES.entries()) {
    failing.push(
      await create({
        app: crm,
        action: at % 2 === 0 ? 'suspend_account' : 'update_account',
        account: accountAt(at),
        ...(at % 2 === 0 ? {} : { changes: { group: { added: ['exports'], removed: [] } } }),
        reason: `Cleanup after the audit (${code_.toLowerCase().replaceAll('_', ' ')})`,
      }),
    );
  }
  await dispatch(crm);
  for (const [at, [code_, message]] of TASK_FAILURES.entries()) {
    await report(crm, failing[at] ?? '', { status: 'failed', error: { code: code_, message } });
  }

  let completed = '';
  for (let at = 20; at < 32; at++) {
    completed = await create({
      app: crm,
      action: 'reset_password',
      account: accountAt(at),
      reason: 'Phishing drill',
    });
    await dispatch(crm);
    await report(crm, completed, { status: 'completed', result: {} });
  }
  const hosting = await accountsOf(api, code);
  for (const at of [3, 4, 5, 6]) {
    const id = await create({ app: code, action: 'suspend_account', account: hosting[at]?.external_uuid });
    await dispatch(code);
    await report(code, id, { status: 'completed', result: {} });
  }

  let pending = '';
  for (let at = 40; at < 58; at++) {
    pending = await create({
      app: crm,
      action: at % 3 === 0 ? 'delete_account' : 'update_account',
      account: accountAt(at),
      ...(at % 3 === 0 ? {} : { changes: { group: { added: ['support'], removed: [] } } }),
      reason: 'Agency contract ends this quarter',
    });
  }
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();
  let scheduled = '';
  for (const at of [60, 61, 62]) {
    scheduled = await create({
      app: crm,
      action: 'delete_account',
      account: accountAt(at),
      execute_after: nextWeek,
      reason: 'Contract ends next week',
    });
  }
  const unwanted = await create({
    app: crm,
    action: 'suspend_account',
    account: accountAt(63),
    reason: 'By mistake',
  });
  await api.post(`/api/tasks/${unwanted}/cancel/`, { reason: 'Wrong account' });
  const overtaken = accountAt(64);
  await create({ app: crm, action: 'suspend_account', account: overtaken, execute_after: nextWeek });
  await create({ app: crm, action: 'delete_account', account: overtaken, reason: 'Security incident' });
  await create({
    app: directory,
    action: 'create_account',
    user: people['ci@acme.example'],
    memberships: { group: ['vpn'] },
    reason: 'Deployments need the directory',
  });
  return { pending, failed: failing[2] ?? '', retried: failing[3] ?? '', scheduled, completed };
}
