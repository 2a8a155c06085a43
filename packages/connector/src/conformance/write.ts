import { isDeepStrictEqual } from 'node:util';
import type { TaskAccount, TaskContext } from '../define.ts';
import { silent } from '../progress.ts';
import type { Action, Task } from '../service.ts';
import { registerTypes } from '../sync.ts';
import { workOffTasks } from '../tasks.ts';
import { type Check, must, type Subject, withSystem } from './check.ts';
import type { Witness } from './fixture.ts';
import { startProcess } from './process.ts';
import { canonical, listAll } from './read.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';

const verbs = {
  create_account: 'create',
  update_account: 'update',
  delete_account: 'delete',
  suspend_account: 'suspend',
  unsuspend_account: 'unsuspend',
  reset_password: 'resetPassword',
} as const;

type Result = { status: string; code: string | undefined; message: string; passwords: Map<string, string> };
let used = 0;

/** Carries out one task as the runner would and returns its report. Intercepts delivered passwords. */
async function perform(subject: Subject, action: Action, payload: Task['payload']): Promise<Result> {
  const passwords = new Map<string, string>();
  const connector = {
    ...subject.connector,
    deliver: async (_: unknown, { account, password }: { account: string; password: string }) =>
      void passwords.set(account, password),
  };
  return rehearse(
    subject,
    [],
    async ({ service, app, run }) => {
      const task = service.world.addTask(app, accountType(subject), action, payload);
      await run(workOffTasks);
      const { status, error } = service.world.find(app).tasks.get(task.id) ?? { status: 'gone' };
      return { status, code: error?.code, message: error?.message ?? '', passwords };
    },
    connector,
  );
}

const accountType = ({ stage, connector }: Subject) =>
  stage.accountType ?? Object.keys(connector.accounts)[0] ?? '';

function newAccount({ stage }: Subject): TaskAccount {
  const account = stage.newAccount?.(++used);
  must(account, 'the fixture has no account to create');
  return account;
}

function witnessOf({ stage }: Subject): Witness {
  must(stage.witness, 'the fixture has no witness');
  return stage.witness;
}

/** Creates an account and finds it in the listing, as the service would. */
async function create(subject: Subject, memberships: NonNullable<Task['payload']['memberships']> = {}) {
  const account = newAccount(subject);
  const result = await perform(subject, 'create_account', { account, memberships });
  must(result.status === 'completed', `create failed: ${result.code} ${result.message}`);
  const id = await idOf(subject, account);
  return { id, account: { ...account, id }, passwords: result.passwords };
}

async function idOf(subject: Subject, account: TaskAccount): Promise<string> {
  const same = (a: unknown, b: unknown) =>
    typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();
  const listed = (await listAll(subject)).records.get(accountType(subject)) ?? [];
  const found = listed.find((record) => {
    const { username, email } = record as { username?: string; email?: string };
    return same(username, account.username) || same(email, account.email);
  });
  must(found, `the created account ${account.username ?? account.email} is not listed`);
  return found.id;
}

/** Returns what a task function of the connector returns, or undefined if it throws. */
async function attempt<T>(
  subject: Subject,
  work: (system: unknown, context: TaskContext) => Promise<T> | undefined,
): Promise<T | undefined> {
  const { signal } = new AbortController();
  const context = { resourceType: accountType(subject), signal, log: silent };
  return withSystem(subject, async (system) => work(system, context)).catch(() => undefined);
}

async function expectDone(
  subject: Subject,
  action: Action,
  payload: Task['payload'],
  what: string,
): Promise<Result> {
  const result = await perform(subject, action, payload);
  must(result.status === 'completed', `${what} failed: ${result.code} ${result.message}`);
  return result;
}

type Needs = { tasks: Action[]; grants?: number; witness?: keyof Witness; weak?: true };

function check(id: string, title: string, needs: Needs, run: Check['run']): Check {
  const skip = ({ connector, stage, writing }: Subject): string | undefined => {
    const missing = needs.tasks.find((action) => !connector.tasks?.[verbs[action]]);
    if (missing) return `the connector has no ${verbs[missing]} task`;
    if (!writing) return 'writing is off (--write turns it on)';
    if (!stage.newAccount || !stage.witness) return 'the fixture has no accounts to create or no witness';
    if (needs.witness && !stage.witness[needs.witness]) return `the witness has no ${needs.witness}()`;
    if (needs.weak && !stage.weakSettings) return 'the fixture has no weak credentials';
    if ((stage.grants?.length ?? 0) < (needs.grants ?? 0))
      return `the fixture has fewer than ${needs.grants} grants`;
    return undefined;
  };
  return { id, group: 'write', title, skip, run };
}

const onUnknown: Action[] = [
  'update_account',
  'delete_account',
  'suspend_account',
  'unsuspend_account',
  'reset_password',
];

export const writeChecks: Check[] = [
  check(
    'write.create',
    'a created account exists with its grants',
    { tasks: ['create_account'] },
    async (subject) => {
      const grants = subject.stage.grants?.slice(0, 1) ?? [];
      const { id } = await create(subject, Object.fromEntries(grants.map(({ slug, ref }) => [slug, [ref]])));
      must(await witnessOf(subject).exists(id), 'the witness does not see the created account');
      for (const { slug, ref } of grants) {
        must(
          (await witnessOf(subject).holds?.(id, slug, ref.id)) ?? true,
          `the witness does not see ${slug} '${ref.id}' granted`,
        );
      }
    },
  ),
  check(
    'write.create-twice',
    'creating an existing account reports ACCOUNT_ALREADY_EXISTS',
    { tasks: ['create_account'] },
    async (subject) => {
      const { account } = await create(subject);
      const again = await perform(subject, 'create_account', {
        account: { ...account, id: 'another-id' },
        memberships: {},
      });
      must(
        again.code === 'ACCOUNT_ALREADY_EXISTS',
        `the second create reported ${again.code ?? again.status} ${again.message}`,
      );
    },
  ),
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
  check(
    'write.create-introduced',
    'a created account is pushed with its own id',
    { tasks: ['create_account'] },
    async (subject) => {
      const account = newAccount(subject);
      await rehearse(
        { ...subject, connector: { ...subject.connector, deliver: async () => {} } },
        [],
        async ({ service, app, run }) => {
          service.world.addTask(app, accountType(subject), 'create_account', { account, memberships: {} });
          await run(workOffTasks);
          const [pushedAccount] = service.world.inventory(app)[accountType(subject)] ?? [];
          must(pushedAccount, 'nothing was pushed');
          must(
            pushedAccount.id === (await idOf(subject, account)),
            `it was pushed as '${pushedAccount.id}' but is listed with another id`,
          );
        },
      );
    },
  ),
  check(
    'write.update-grants',
    'update_account adds and removes grants',
    { tasks: ['create_account', 'update_account'], grants: 2, witness: 'holds' },
    async (subject) => {
      const { id, account } = await create(subject);
      const [one, two] = subject.stage.grants ?? [];
      must(one && two, 'two grants are needed');
      const { holds } = witnessOf(subject);
      await expectDone(
        subject,
        'update_account',
        { account, changes: { [one.slug]: { added: [one.ref], removed: [] } } },
        'granting',
      );
      must(await holds?.(id, one.slug, one.ref.id), 'the witness does not see the first grant');
      const both = { [two.slug]: { added: [two.ref], removed: [] as (typeof two.ref)[] } };
      both[one.slug] = { added: both[one.slug]?.added ?? [], removed: [one.ref] };
      await expectDone(subject, 'update_account', { account, changes: both }, 'swapping');
      must(await holds?.(id, two.slug, two.ref.id), 'the witness does not see the second grant');
      must(
        !(await holds?.(id, one.slug, one.ref.id)),
        'the witness still sees the first grant after its removal',
      );
    },
  ),
  check(
    'write.update-twice',
    'a repeated update succeeds',
    { tasks: ['create_account', 'update_account'], grants: 2 },
    async (subject) => {
      const { account } = await create(subject);
      const [one, two] = subject.stage.grants ?? [];
      must(one && two, 'two grants are needed');
      const added = { account, changes: { [one.slug]: { added: [one.ref], removed: [] } } };
      const removed = { account, changes: { [one.slug]: { added: [], removed: [one.ref] } } };
      for (const payload of [added, added, removed, removed])
        await expectDone(subject, 'update_account', payload, 'the update');
    },
  ),
  check(
    'write.suspend',
    'suspend_account suspends an account, also when repeated',
    { tasks: ['create_account', 'suspend_account'], witness: 'suspended' },
    async (subject) => {
      const { id, account } = await create(subject);
      for (const time of ['first', 'second'])
        await expectDone(subject, 'suspend_account', { account }, `the ${time} suspend`);
      must(await witnessOf(subject).suspended?.(id), 'the witness sees the account as active');
      const listed = (await listAll(subject)).records
        .get(accountType(subject))
        ?.find((record) => record.id === id);
      must(
        listed && 'status' in listed && listed.status !== 'active',
        'the account is not listed as suspended or inactive',
      );
    },
  ),
  check(
    'write.unsuspend',
    'unsuspend_account activates an account, also when repeated',
    { tasks: ['create_account', 'suspend_account', 'unsuspend_account'], witness: 'suspended' },
    async (subject) => {
      const { id, account } = await create(subject);
      await expectDone(subject, 'suspend_account', { account }, 'suspend');
      for (const time of ['first', 'second'])
        await expectDone(subject, 'unsuspend_account', { account }, `the ${time} unsuspend`);
      must(!(await witnessOf(subject).suspended?.(id)), 'the witness sees the account as suspended');
    },
  ),
  check(
    'write.reset-password',
    'after reset_password the new password works and the old one does not',
    { tasks: ['create_account', 'reset_password'], witness: 'signsIn' },
    async (subject) => {
      const { id, account } = await create(subject);
      const { signsIn } = witnessOf(subject);
      const first = (
        await expectDone(subject, 'reset_password', { account }, 'the first reset')
      ).passwords.get(id);
      must(first, 'no new password was delivered');
      must(await signsIn?.(account, first), 'the delivered password does not work');
      const second = (
        await expectDone(subject, 'reset_password', { account }, 'the second reset')
      ).passwords.get(id);
      must(second && (await signsIn?.(account, second)), 'the second password does not work');
      must(!(await signsIn?.(account, first)), 'the old password still works');
    },
  ),
  check(
    'write.delete',
    'delete_account deletes an account',
    { tasks: ['create_account', 'delete_account'] },
    async (subject) => {
      const { id, account } = await create(subject);
      await expectDone(subject, 'delete_account', { account: { id: account.id } }, 'delete');
      must(!(await witnessOf(subject).exists(id)), 'the witness still sees the account');
    },
  ),
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
