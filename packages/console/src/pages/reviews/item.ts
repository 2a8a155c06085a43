import { t } from '@lingui/core/macro';
import { foundWords, grantWords, unknownWords } from '../../access/grant-words.ts';
import type { Answer, Item as ItemOf } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { fromNow, grouped, localTime } from '../../kit/text/words.ts';

export type Cycle = Answer<'/api/reviews/cycles/{cycle_id}/'>;
export type Item = ItemOf<'/api/reviews/cycles/{cycle_id}/items/'> & {
  /** Whether the decision was just made, so that its time and task are not loaded yet. */
  isNew?: true;
};
export type Decision = NonNullable<Item['decision']>;

export const RISKS = { low: t`Low`, medium: t`Medium`, high: t`High` };

export const KINDS = {
  account: t`Account`,
  membership: t`Group`,
  assignment: t`License`,
} satisfies Record<Item['kind'], string>;

/** Returns the name of the group, license or account. */
export const itemName = ({ resource, account }: Item): string =>
  resource === null ? account.email || account.username || t`Unnamed account` : resource.name || resource.id;

/** "Group Owners of tomas@acme.example in Code Hosting" */
export const itemWords = (item: Item): string => {
  const holder = item.user?.name || item.user?.email || item.account.email || item.account.username;
  const name = itemName(item);
  const app = item.app.name;
  return {
    account: t`Account ${name} of ${holder} in ${app}`,
    membership: t`Group ${name} of ${holder} in ${app}`,
    assignment: t`License ${name} of ${holder} in ${app}`,
  }[item.kind];
};

/** "Group in Code Hosting" */
export const whereWords = ({ kind, app: { name } }: Item): string =>
  ({ account: t`Account in ${name}`, membership: t`Group in ${name}`, assignment: t`License in ${name}` })[
    kind
  ];

const HOUR_MS = 3_600_000;

/** Returns until when a decision can be changed; null while the cycle is open. The server applies the same rule (docs/reviews.md). */
function changeableUntil(cycle: Cycle, { decision, decided_at }: Item): Date | null {
  if (decided_at === null || (decision === 'keep' && cycle.status === 'in_progress')) return null;
  return new Date(Date.parse(decided_at) + cycle.cooling_off_hours * HOUR_MS);
}

/** Returns why this person cannot decide the item now, or undefined if they can. */
export function obstacleTo(cycle: Cycle, item: Item, me: string): string | undefined {
  if (item.user?.external_uuid === me) return t`This is your own access. Someone else decides.`;
  if (cycle.status === 'scheduled') return t`The review is not open yet.`;
  if (item.decided_at === null && cycle.status === 'completed') return t`The review is completed.`;
  const until = changeableUntil(cycle, item);
  if (until !== null && until.getTime() <= Date.now()) return t`Final: the cooling-off period has ended.`;
  return undefined;
}

/** Returns for whom this person decides the item, if they are not a reviewer themselves. */
export function forWhom(
  { reviewers, deputies, escalated_to }: Item,
  me: string | undefined,
): string | undefined {
  if (reviewers.some(({ external_uuid }) => external_uuid === me)) return undefined;
  const absent = deputies.filter(({ external_uuid }) => external_uuid === me);
  if (absent.length > 0) {
    const people = listed(absent.map(({ on_behalf_of }) => on_behalf_of.email));
    return t`For ${people}`;
  }
  if (!escalated_to.some(({ external_uuid }) => external_uuid === me)) return undefined;
  const people = listed(reviewers.map(({ email }) => email));
  return t`Escalated from ${people}`;
}

/** The name of what gives access, or its id. */
export const giverName = ({ name, id }: { name: string; id: string }): string => name || id;

function whyNotPossible({ kept_for, kept_by, task }: Item): string {
  if (kept_for !== null) {
    const name = giverName(kept_for);
    const { email } = kept_for.by;
    return t`Not removed: the account would also lose ${name}, which ${email} has decided to keep.`;
  }
  if (kept_by !== null) {
    const name = giverName(kept_by);
    return t`Not removed: the account has it through ${name}, which stays.`;
  }
  return task === null
    ? t`Not possible: this no longer exists in the app. The access may go on under another name.`
    : t`Not possible: the removal was canceled, and the access still exists. See its task.`;
}

function returnWords(at: string, by: Item['restored_by']): string {
  const back = localTime(new Date(at));
  if (by === null) return t`The access was removed and came back on ${back}. No decision gave it back.`;
  const reason = grantWords(by);
  return t`The access was removed and came back on ${back}. Reason: ${reason}.`;
}

/** Returns what follows from the decision, and how long it can be changed. */
export function consequence(cycle: Cycle, item: Item): string | undefined {
  const { decision, task } = item;
  if (decision === null) return undefined;
  const until = changeableUntil(cycle, item);
  const changeable = until === null || until.getTime() > Date.now();
  if (decision === 'keep') {
    if (!changeable) return undefined;
    if (until === null) return t`Can be changed until the review ends.`;
    const end = localTime(until);
    return t`Can be changed until ${end}.`;
  }
  if (item.revocation?.state === 'not_possible') return whyNotPossible(item);
  if (task === null) return t`The access was already removed.`;
  if (item.seen_again_at !== null) return returnWords(item.seen_again_at, item.restored_by);
  if (item.seen_gone === true) return t`A later sync confirmed the removal.`;
  if (task.status === 'completed' && task.confirmed === 'read')
    return t`Removed. The connector read the account back.`;
  if (task.status === 'completed') return t`Removed. The next sync of the app confirms it.`;
  if (task.status === 'failed') return t`The removal failed. See its task.`;
  if (task.status === 'cancelled' || task.status === 'preempted')
    return t`The removal was canceled. See its task.`;
  if (!changeable || until === null) return t`The removal is in progress.`;
  const when = fromNow(until);
  return t`Removed ${when}. Can be changed until then.`;
}

/** Somebody kept an access that became theirs later. */
export const ownAfterwardsWords = t`Kept by the person who has the account now`;

const DORMANT_DAYS = 30;
export const UNUSED_DAYS = 90;
const DAY_MS = 86_400_000;

export interface Fact {
  words: string;
  /** The exact moment, where there is one. */
  at?: string;
  /** Worth a second look. */
  notable?: boolean;
}

/** Returns the item's context: what a reviewer should know before deciding. */
export function facts(cycle: Cycle, { context, kind, decision, own_afterwards }: Item): Fact[] {
  const { since, grants, found, last_seen_at, last_sign_in_at, account_status, account_owner } = context;
  const when = fromNow(new Date(since));
  const known: Fact[] = [
    ...(context.is_own && kind === 'account'
      ? [{ words: t`The connector signs in with this account, so it can only be kept`, notable: true }]
      : []),
    { words: kind === 'account' || found ? t`First seen ${when}` : t`Granted ${when}`, at: since },
    ...(found ? [{ words: foundWords }] : []),
    ...[...new Set(grants.map(grantWords))].map((words) => ({ words })),
    ...(found || grants.length > 0 ? [] : [{ words: unknownWords, notable: true }]),
    lastSeen(last_seen_at, cycle.opened_at),
    ...(own_afterwards ? [{ words: ownAfterwardsWords, notable: true }] : []),
  ];
  if (last_sign_in_at !== null) known.push(lastUsed(last_sign_in_at));
  if (context.mfa_enabled === false) known.push({ words: t`No second factor`, notable: true });
  if (context.risk !== null) {
    const risk = RISKS[context.risk];
    known.push({ words: t`Risk: ${risk}`, notable: context.risk === 'high' });
  }
  if (account_owner !== null) known.push({ words: t`Account owned by ${account_owner.email}` });
  if (context.owner_email !== null && context.owner_email !== account_owner?.email)
    known.push({ words: t`Owner named by the app: ${context.owner_email}` });
  if (context.via !== null) {
    const name = giverName(context.via);
    known.push({ words: t`Through ${name}`, notable: true });
  }
  if (account_status === 'SUSPENDED') known.push({ words: t`Account suspended`, notable: true });
  if (account_status === 'INVITED') known.push({ words: t`Account was never active`, notable: true });
  if (account_status === 'INACTIVE' && decision !== 'revoke')
    known.push({ words: t`Account no longer exists`, notable: true });
  return known;
}

function lastUsed(at: string): Fact {
  const isDormant = Date.now() - Date.parse(at) >= UNUSED_DAYS * DAY_MS;
  return { words: t`Last used ${fromNow(new Date(at))}`, at, notable: isDormant };
}

/** The context was recorded when the review opened, so it is relative to that time. */
function lastSeen(at: string | null, opened: string | null): Fact {
  if (at === null) return { words: t`Never seen by a sync`, notable: true };
  const days = Math.floor((Date.parse(opened ?? at) - Date.parse(at)) / DAY_MS);
  if (days >= DORMANT_DAYS)
    return { words: t`Dormant: not seen for ${grouped(days)} days before the review`, at, notable: true };
  return {
    words:
      days < 2 ? t`Seen by the last sync before the review` : t`Last seen ${days} days before the review`,
    at,
  };
}
