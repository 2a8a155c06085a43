import type { Action, Task } from '../../service.ts';
import { workOffTasks } from '../../tasks.ts';
import { type Check, must, type Subject, withSystem } from '../check.ts';
import { rehearse } from '../rehearsal.ts';
import { accountType, check, create, newAccount, perform, verbs } from './tools.ts';

const readsBack = (subject: Subject) => subject.connector.accounts[accountType(subject)]?.get !== undefined;
const without = 'the connector has no get(), so only the next sync confirms its tasks';

/** Skips a check for a connector that cannot read accounts, or for other reasons. */
function ifReadable(checked: Check, why?: (subject: Subject) => string | undefined): Check {
  return {
    ...checked,
    skip: (subject) => checked.skip?.(subject) ?? (readsBack(subject) ? why?.(subject) : without),
  };
}

const ifHtml = ({ stage }: Subject) => (stage.html ? undefined : 'the fixture has no html()');

/** Checks that a task is done when it is seen to be done, and not before (D80). */
export const confirmedChecks: Check[] = [
  ifReadable(
    check(
      'write.confirmed',
      'a read after each task shows what the task asked for',
      { tasks: ['create_account'] },
      confirmEach,
    ),
  ),
  ifReadable(
    check(
      'write.html-is-not-gone',
      'a page of HTML with the status 404 neither completes an interrupted deletion nor means that the account is missing',
      { tasks: ['create_account', 'delete_account'] },
      deleteBehindHtml,
    ),
    ifHtml,
  ),
];

async function confirmEach(subject: Subject): Promise<void> {
  const [grant] = subject.stage.grants ?? [];
  const memberships = grant ? { [grant.slug]: [grant.ref] } : {};
  const expectConfirmed = async (action: Action, payload: Task['payload']) => {
    if (!subject.connector.tasks?.[verbs[action]]) return;
    const { status, code, message, confirmed } = await perform(subject, action, payload);
    must(status === 'completed', `${action} failed: ${code} ${message}`);
    must(
      confirmed === 'read',
      `${action} was reported as done, but a read did not show it within 30 seconds`,
    );
  };
  await expectConfirmed('create_account', { account: newAccount(subject), memberships });
  const { id, account } = await create(subject);
  if (grant) {
    const change = (added: boolean) => ({
      [grant.slug]: { added: added ? [grant.ref] : [], removed: added ? [] : [grant.ref] },
    });
    for (const added of [true, false])
      await expectConfirmed('update_account', { account, changes: change(added) });
  }
  for (const action of ['suspend_account', 'unsuspend_account', 'delete_account'] as const)
    await expectConfirmed(action, { account: { id } });
}

async function deleteBehindHtml(subject: Subject): Promise<void> {
  const { id } = await create(subject);
  for (const isInterrupted of [true, false])
    await rehearse(subject, [], async ({ service, app, run }) => {
      const payload = { account: { id } };
      const task = service.world.addTask(app, accountType(subject), 'delete_account', payload);
      await run(async (each) => {
        if (isInterrupted) each.state.writeJournal(task.id, 'begun', { absent: false });
        const repair = await subject.stage.html?.();
        try {
          await workOffTasks(each);
        } finally {
          await repair?.();
        }
      });
      const { status, error } = service.world.find(app).tasks.get(task.id) ?? { status: 'gone' };
      must(status === 'failed', `the deletion of an account that nobody can read was reported as ${status}`);
      must(error?.code !== 'ACCOUNT_NOT_FOUND', `it reported that the account is missing: ${error?.message}`);
    });
  await withSystem(subject, async (system) => {
    const type = subject.connector.accounts[accountType(subject)];
    must((await type?.get?.(system, id)) !== null, 'the account is gone');
  });
}
