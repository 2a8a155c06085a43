import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import type { AccountView, HeldView } from '#inventory/records/accounts/account-view.ts';
import { risksOf } from '#inventory/records/accounts/leaver-facts.ts';
import { databaseTime } from '#kit/database.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { apply } from '#proposals/apply.ts';
import type { Change } from '#proposals/change.ts';
import { proposeAlone } from '#proposals/second-person.ts';
import { openRemovals } from '#work/provisioning/find.ts';
import type { Task } from '#work/provisioning/task.ts';
import type { OffboardedAccount, Wanted } from './schemas.ts';
import { offboardRefusals } from './sentences.ts';

const DAY = 24 * 3600 * 1000;

/** The removal of an account. `days`: until it is deleted; null: never. */
interface Choice {
  suspend: boolean;
  days: number | null;
}

/** Returns the removal of each account. 422 for an account that is not among them. */
export function choicesOf(
  accounts: readonly AccountView[],
  { suspend = true, delete_after_days: days = 30, accounts: own = [] }: Wanted,
): Map<string, Choice> {
  const choices = new Map(accounts.map(({ id }) => [id, { suspend, days }]));
  for (const { account, ...choice } of own) {
    const general = choices.get(account.toLowerCase());
    if (general === undefined) throw offboardRefusals.offboarded_account_unknown({ account });
    const { delete_after_days = general.days } = choice;
    choices.set(account.toLowerCase(), {
      suspend: choice.suspend ?? general.suspend,
      days: delete_after_days,
    });
  }
  return choices;
}

/**
 * Suspends and deletes the accounts of a person who leaves. A task of this kind ends if the person is active again before its turn. Open tasks
 * that already do the same keep it. The caller holds the apps, and records the events last.
 */
export async function removeAccounts(
  tx: CallTx,
  accounts: readonly AccountView[],
  choices: ReadonlyMap<string, Choice>,
  { reason, isDry }: { reason: string; isDry: boolean },
): Promise<{ accounts: OffboardedAccount[]; events: NewEvent[] }> {
  const ids = accounts.map(({ id }) => id);
  await lockAccounts(tx, ids);
  const earlier = await openRemovals(tx, ids);
  const now = (await databaseTime(tx)).getTime();
  const decision = {
    ...{ kind: 'manual' as const, id: null, label: reason, reason },
    decidedBy: tx.principal.userId,
  };
  const changes = accounts.flatMap(({ id, app_id, status }): Change[] => {
    const { suspend, days } = choices.get(id) as Choice;
    const about = { ...{ decision, app: { id: app_id }, user: null, account: { id } }, add: [], remove: [] };
    const change = (action: Change['action'], executeAfter: Date | null) => [
      { ...about, action, executeAfter, leaving: true },
    ];
    return [
      ...(suspend && days !== 0 && status !== 'SUSPENDED' ? change('suspend_account', null) : []),
      ...(days === null ? [] : change('delete_account', days === 0 ? null : new Date(now + days * DAY))),
    ];
  });
  const { proposal, waived } = await proposeAlone(tx, changes, 'task');
  const { tasks, events } = await apply(tx, proposal, tx.cause);
  const underWay = proposal.verdicts.under_way.map(({ change }) => change);
  const outcome = (wanted: boolean, account: AccountView, action: Change['action']) => {
    const made = tasks.find((task) => task.account_id === account.id && task.action === action);
    const isDone = made !== undefined && !isNeedless(made);
    const isBefore = underWay.some((one) => one.account?.id === account.id && one.action === action);
    const word = isDone ? 'ordered' : isBefore ? 'ordered_before' : wanted ? 'not_needed' : 'not_wanted';
    return { made: isDone ? made : undefined, outcome: word } as const;
  };
  const risks = await risksOf(
    tx,
    accounts.flatMap(heldBy).map(({ entitlement_id }) => entitlement_id),
  );
  // The tasks of a dry run are gone when somebody reads of them.
  const idOf = (made: Task | undefined) => (isDry ? null : (made?.id ?? null));
  const views = accounts.map((account): OffboardedAccount => {
    const { suspend, days } = choices.get(account.id) as Choice;
    const suspension = outcome(suspend, account, 'suspend_account');
    const deletion = outcome(days !== null, account, 'delete_account');
    return {
      ...stateOf(account, risks),
      removals: earlier.get(account.id) ?? [],
      suspend: { outcome: suspension.outcome, task: idOf(suspension.made) },
      delete: {
        ...{ outcome: deletion.outcome, task: idOf(deletion.made) },
        execute_after: deletion.made?.execute_after ?? null,
      },
    };
  });
  return { accounts: views, events: [...waived, ...events] };
}

const isNeedless = ({ status, ended_reason }: Task) => status === 'cancelled' && ended_reason === null;

const heldBy = ({ memberships, assignments }: AccountView): HeldView[] =>
  [memberships, assignments].flatMap((bySlug) => Object.values(bySlug).flat());

function stateOf(account: AccountView, risks: ReadonlyMap<string, string>) {
  const { id, app_id, app_name, email, username, status, memberships, assignments } = account;
  const high = heldBy(account).filter(({ entitlement_id }) => risks.get(entitlement_id) === 'high');
  return {
    ...{ external_uuid: id, app: { external_uuid: app_id, name: app_name }, email, username, status },
    groups: Object.values(memberships).flat().length,
    licenses: Object.values(assignments).flat().length,
    high_risk: high.map((one) => one.name || one.id),
  };
}
