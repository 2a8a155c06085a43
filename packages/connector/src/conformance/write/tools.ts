import type { TaskAccount } from '../../define.ts';
import type { Action, Task } from '../../service.ts';
import { workOffTasks } from '../../tasks.ts';
import { type Check, must, type Subject } from '../check.ts';
import type { Witness } from '../fixture.ts';
import { listAll } from '../read.ts';
import { rehearse } from '../rehearsal.ts';

export const verbs = {
  create_account: 'create',
  update_account: 'update',
  delete_account: 'delete',
  suspend_account: 'suspend',
  unsuspend_account: 'unsuspend',
  reset_password: 'resetPassword',
} as const;

type Result = {
  status: string;
  code: string | undefined;
  message: string;
  confirmed: string | undefined;
  passwords: Map<string, string>;
};
let used = 0;

/** Carries out one task as the runner would and returns its report. Intercepts delivered passwords. */
export async function perform(subject: Subject, action: Action, payload: Task['payload']): Promise<Result> {
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
      const { status, error, result } = service.world.find(app).tasks.get(task.id) ?? { status: 'gone' };
      const { confirmed } = result ?? {};
      return { status, code: error?.code, message: error?.message ?? '', confirmed, passwords };
    },
    connector,
  );
}

export const accountType = ({ stage, connector }: Subject) =>
  stage.accountType ?? Object.keys(connector.accounts)[0] ?? '';

export function newAccount({ stage }: Subject): TaskAccount {
  const account = stage.newAccount?.(++used);
  must(account, 'the fixture has no account to create');
  return account;
}

export function witnessOf({ stage }: Subject): Witness {
  must(stage.witness, 'the fixture has no witness');
  return stage.witness;
}

/** Creates an account and finds it in the listing, as the service would. */
export async function create(
  subject: Subject,
  memberships: NonNullable<Task['payload']['memberships']> = {},
) {
  const account = newAccount(subject);
  const result = await perform(subject, 'create_account', { account, memberships });
  must(result.status === 'completed', `create failed: ${result.code} ${result.message}`);
  const id = await idOf(subject, account);
  return { id, account: { ...account, id }, passwords: result.passwords };
}

export async function idOf(subject: Subject, account: TaskAccount): Promise<string> {
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

export async function expectDone(
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

export function check(id: string, title: string, needs: Needs, run: Check['run']): Check {
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
