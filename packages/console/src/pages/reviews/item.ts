import type { Answer, Item as ItemOf } from '../../api/client.ts';
import { fromNow, grouped, localTime } from '../../parts/words.ts';

export type Cycle = Answer<'/api/reviews/cycles/{cycle_id}/'>;
export type Item = ItemOf<'/api/reviews/cycles/{cycle_id}/items/'>;
export type Decision = NonNullable<Item['decision']>;

export const KINDS = {
  account: 'Account',
  membership: 'Group',
  assignment: 'License',
} satisfies Record<Item['kind'], string>;

export const kindWord = (kind: Item['kind']) => KINDS[kind];

/** Returns the name of the group, license or account. */
export const itemName = ({ resource, account }: Item): string =>
  resource === null ? account.email || account.username || 'Unnamed account' : resource.name || resource.id;

/** "Group Owners of tomas@acme.example in Code Hosting" */
export const itemWords = (item: Item): string => {
  const holder = item.user?.name || item.user?.email || item.account.email || item.account.username;
  return `${kindWord(item.kind)} ${itemName(item)} of ${holder} in ${item.app.name}`;
};

const HOUR_MS = 3_600_000;

/** Returns until when a decision can be changed; null while the cycle is open. The server applies the same rule (docs/reviews.md). */
function changeableUntil(cycle: Cycle, { decision, decided_at }: Item): Date | null {
  if (decided_at === null || (decision === 'keep' && cycle.status === 'in_progress')) return null;
  return new Date(Date.parse(decided_at) + cycle.cooling_off_hours * HOUR_MS);
}

/** Returns why this person cannot decide the item now, or undefined if they can. */
export function obstacleTo(cycle: Cycle, item: Item, me: string): string | undefined {
  if (item.user?.external_uuid === me) return 'This is your own access. Someone else decides.';
  if (cycle.status === 'scheduled') return 'The review is not open yet.';
  if (item.decided_at === null && cycle.status === 'completed') return 'The review is completed.';
  const until = changeableUntil(cycle, item);
  if (until !== null && until.getTime() <= Date.now()) return 'Final: the cooling-off period has ended.';
  return undefined;
}

/** Returns for whom this person decides the item, if they are not a reviewer themselves. */
export function forWhom(
  { reviewers, deputies, escalated_to }: Item,
  me: string | undefined,
): string | undefined {
  if (reviewers.some(({ external_uuid }) => external_uuid === me)) return undefined;
  const absent = deputies.filter(({ external_uuid }) => external_uuid === me);
  if (absent.length > 0) return `For ${absent.map(({ on_behalf_of }) => on_behalf_of.email).join(' and ')}`;
  return escalated_to.some(({ external_uuid }) => external_uuid === me)
    ? `Escalated from ${reviewers.map(({ email }) => email).join(' and ')}`
    : undefined;
}

export const onBehalfOf = ({ on_behalf_of }: Item): string =>
  on_behalf_of.length === 0 ? '' : ` on behalf of ${on_behalf_of.map(({ email }) => email).join(' and ')}`;

/** Returns what follows from the decision, and how long it can be changed. */
export function consequence(cycle: Cycle, item: Item): string | undefined {
  const { decision, task } = item;
  if (decision === null) return undefined;
  const until = changeableUntil(cycle, item);
  const changeable = until === null || until.getTime() > Date.now();
  if (decision === 'keep')
    return changeable
      ? `Can be changed until ${until === null ? 'the review ends' : localTime(until)}.`
      : undefined;
  if (task === null) return 'The access was already removed.';
  if (item.seen_gone === true) return 'A later sync confirmed the removal.';
  if (task.status === 'completed') return 'Removed. The next sync of the app confirms it.';
  if (task.status === 'failed') return 'The removal failed. See its task.';
  if (task.status === 'cancelled' || task.status === 'preempted')
    return 'The removal was canceled. See its task.';
  return changeable && until !== null
    ? `Removed ${fromNow(until)}. Can be changed until then.`
    : 'The removal is in progress.';
}

const DORMANT_DAYS = 30;
const UNUSED_DAYS = 90;
const DAY_MS = 86_400_000;

export interface Fact {
  words: string;
  /** The exact moment, where there is one. */
  at?: string;
  /** Worth a second look. */
  notable?: boolean;
}

/** Returns the item's context: what a reviewer should know before deciding. */
export function facts(cycle: Cycle, { context, kind, decision }: Item): Fact[] {
  const { since, granted_by, last_seen_at, last_sign_in_at, account_status, account_owner } = context;
  const known: Fact[] = [
    { words: `${kind === 'account' ? 'First seen' : 'Granted'} ${fromNow(new Date(since))}`, at: since },
    granted_by === null
      ? { words: 'Discovered by sync' }
      : { words: GRANTS[granted_by.task_type] ?? 'Granted through Gatehouse', at: granted_by.at },
    lastSeen(last_seen_at, cycle.opened_at),
  ];
  if (last_sign_in_at !== null) known.push(lastUsed(last_sign_in_at));
  if (context.risk !== null) known.push({ words: `Risk: ${context.risk}`, notable: context.risk === 'high' });
  if (account_owner !== null) known.push({ words: `Account owned by ${account_owner.email}` });
  if (context.owner_email !== null && context.owner_email !== account_owner?.email)
    known.push({ words: `Owner named by the app: ${context.owner_email}` });
  if (account_status === 'SUSPENDED') known.push({ words: 'Account suspended', notable: true });
  if (account_status === 'INVITED') known.push({ words: 'Account was never active', notable: true });
  if (account_status === 'INACTIVE' && decision !== 'revoke')
    known.push({ words: 'Account no longer exists', notable: true });
  return known;
}

const GRANTS: Record<string, string> = {
  USER_ACTION: 'Granted manually by an administrator',
  APPROVAL_WORKFLOW: 'Granted by an approved request',
  POLICY: 'Granted by a policy',
};

function lastUsed(at: string): Fact {
  const isDormant = Date.now() - Date.parse(at) >= UNUSED_DAYS * DAY_MS;
  return { words: `Last used ${fromNow(new Date(at))}`, at, notable: isDormant };
}

/** The context was recorded when the review opened, so it is relative to that time. */
function lastSeen(at: string | null, opened: string | null): Fact {
  if (at === null) return { words: 'Never seen by a sync', notable: true };
  const days = Math.floor((Date.parse(opened ?? at) - Date.parse(at)) / DAY_MS);
  if (days >= DORMANT_DAYS)
    return { words: `Dormant: not seen for ${grouped(days)} days before the review`, at, notable: true };
  return {
    words: days < 2 ? 'Seen by the last sync before the review' : `Last seen ${days} days before the review`,
    at,
  };
}
