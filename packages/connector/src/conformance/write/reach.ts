import type { TaskContext } from '../../define.ts';
import { silent } from '../../progress.ts';
import { type Check, must, type Subject, withSystem } from '../check.ts';
import { accountType, check, create, newAccount, witnessOf } from './tools.ts';

/** Returns what a task function of the connector returns, or undefined if it throws. */
async function attempt<T>(
  subject: Subject,
  work: (system: unknown, context: TaskContext) => Promise<T> | undefined,
): Promise<T | undefined> {
  const { signal } = new AbortController();
  const context = { resourceType: accountType(subject), signal, log: silent };
  return withSystem(subject, async (system) => work(system, context)).catch(() => undefined);
}

/** Checks of the records that a search may find and an undo may remove. */
export const reachChecks: Check[] = [
  check(
    'write.find-exact',
    'find() returns only the account that was asked for',
    { tasks: ['create_account'] },
    async (subject) => {
      const { find } = subject.connector.tasks ?? {};
      if (!find) return;
      const { account } = await create(subject);
      const name = account.username || account.email || '';
      const nobody = newAccount(subject);
      const asked = [
        { id: 'x' },
        { id: 'x', username: null, email: null },
        { id: 'x', username: '', email: '' },
        { id: 'x', username: '*' },
        { id: 'x', username: name.slice(0, Math.ceil(name.length / 2)) },
        nobody,
      ];
      const repair = await subject.stage.strangers?.();
      try {
        for (const each of asked) {
          const found = await attempt(subject, (system, context) => find(system, each, context));
          must(
            typeof found !== 'string',
            `asked for ${JSON.stringify(each.username || each.email || '')}, find() returned the account '${found}'`,
          );
        }
      } finally {
        await repair?.();
      }
    },
  ),
  check(
    'write.undo-only-own',
    'a failed creation leaves an account that existed before',
    { tasks: ['create_account'], grants: 1 },
    async (subject) => {
      const { id, account } = await create(subject);
      const [grant] = subject.stage.grants ?? [];
      const memberships = { [grant?.slug ?? '']: [{ id: 'no such id: 00000000' }] };
      const again = { ...account, id: 'another-id' };
      // Past find(), as if the account had been created in between.
      const made = await attempt(subject, (system, context) =>
        subject.connector.tasks?.create?.(system, { account: again, memberships }, context),
      );
      must(made === undefined, 'the second creation succeeded');
      must(await witnessOf(subject).exists(id), 'the failed creation removed the older account');
    },
  ),
];
