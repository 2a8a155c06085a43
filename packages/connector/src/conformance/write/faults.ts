import { isDeepStrictEqual } from 'node:util';
import type { Action, Task } from '../../service.ts';
import { registerTypes } from '../../sync.ts';
import { type Check, must, type Subject } from '../check.ts';
import { startProcess } from '../process.ts';
import { canonical } from '../read.ts';
import { type Rehearsal, rehearse } from '../rehearsal.ts';
import { accountType, check, create, expectDone, idOf, newAccount, perform, verbs } from './tools.ts';

const onUnknown: Action[] = [
  'update_account',
  'delete_account',
  'suspend_account',
  'unsuspend_account',
  'reset_password',
];

/** Checks of tasks after errors, missing rights and crashes. */
export const faultChecks: Check[] = [
  check(
    'write.unknown-id',
    'every task reports ACCOUNT_NOT_FOUND for an unknown id',
    { tasks: ['create_account', 'delete_account'] },
    async (subject) => {
      const { id, account } = await create(subject);
      await expectDone(subject, 'delete_account', { account: { id } }, 'delete');
      for (const action of onUnknown.filter((each) => subject.connector.tasks?.[verbs[each]])) {
        const [grant] = subject.stage.grants ?? [];
        const changes = grant ? { [grant.slug]: { added: [grant.ref], removed: [] } } : {};
        for (const unknown of [id, 'no such id']) {
          const result = await perform(subject, action, { account: { ...account, id: unknown }, changes });
          must(
            result.code === 'ACCOUNT_NOT_FOUND',
            `${action} of '${unknown}' reported ${result.code ?? result.status} ${result.message}`,
          );
        }
      }
    },
  ),
  check(
    'write.weak-credentials',
    'read-only credentials report PERMISSION_DENIED',
    { tasks: ['create_account'], weak: true },
    async (subject) => {
      const { id, account } = await create(subject);
      const weak = { ...subject, stage: { ...subject.stage, settings: subject.stage.weakSettings ?? {} } };
      const attempts: [Action, Task['payload']][] = [
        ['create_account', { account: newAccount(subject), memberships: {} }],
      ];
      for (const action of onUnknown.filter((each) => each !== 'update_account'))
        attempts.push([action, { account: { ...account, id } }]);
      for (const [action, payload] of attempts) {
        if (!subject.connector.tasks?.[verbs[action]]) continue;
        const { code, status, message } = await perform(weak, action, payload);
        must(code === 'PERMISSION_DENIED', `${action} reported ${code ?? status} ${message}`);
      }
    },
  ),
  check(
    'write.crash-reports-once',
    'a run killed between execution and report reports later and does not execute twice',
    { tasks: ['create_account'] },
    async (subject) => {
      const account = newAccount(subject);
      await rehearse(subject, [], async (rehearsal) => {
        const { service, app } = rehearsal;
        const task = service.world.addTask(app, accountType(subject), 'create_account', {
          account,
          memberships: {},
        });
        await killAt(subject, rehearsal, /^PATCH/);
        const id = await idOf(subject, account);
        const again = await startProcess(subject, ['tasks', '--execute'], rehearsal).ended;
        must(again.code === 0, `the restarted run exited with ${again.code}: ${again.stderr.slice(-300)}`);
        const { status, error } = service.world.find(app).tasks.get(task.id) ?? { status: 'gone' };
        must(
          status === 'completed',
          `the restarted run reported ${error?.code ?? status} ${error?.message ?? ''}`,
        );
        must((await idOf(subject, account)) === id, 'the restarted run created another account');
      });
    },
  ),
  check(
    'write.resync-no-diff',
    'two syncs after a task leave the same state',
    { tasks: ['create_account'] },
    async (subject) => {
      await create(subject);
      await rehearse(subject, [], async ({ service, app, run, sync }) => {
        await run((each) => registerTypes(each));
        const state = () =>
          Object.entries(service.world.inventory(app)).map(([slug, records]) => [
            slug,
            records.map((each) => canonical(each as never)),
          ]);
        await sync();
        const before = state();
        await sync();
        must(isDeepStrictEqual(state(), before), 'the second sync changed the state');
      });
    },
  ),
];

async function killAt(subject: Subject, rehearsal: Rehearsal, on: RegExp): Promise<void> {
  const first = startProcess(subject, ['tasks', '--execute'], rehearsal);
  rehearsal.service.arm({ on, nth: 1, what: 'drop', also: () => first.child.kill('SIGKILL') });
  const { signal, stderr } = await first.ended;
  must(signal === 'SIGKILL', `the run ended before it could be killed: ${stderr.slice(-300)}`);
}
