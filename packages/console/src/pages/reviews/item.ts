import type { Answer, Item as ItemOf } from '../../api/client.ts';
import { fromNow, grouped } from '../../parts/words.ts';

export type Cycle = Answer<'/api/reviews/cycles/{cycle_id}/'>;
export type Item = ItemOf<'/api/reviews/cycles/{cycle_id}/items/'>;
export type Decision = 'keep' | 'revoke';

export const KINDS = [
  { value: 'account', label: 'Account' },
  { value: 'membership', label: 'Group' },
  { value: 'assignment', label: 'License' },
] as const;

export const kindWord = (kind: Item['kind']) => KINDS.find(({ value }) => value === kind)?.label ?? kind;

/** What the item is about: the group's or license's name, or the account's. */
export const itemName = ({ resource, account }: Item): string =>
  resource === null
    ? account.email || account.username || account.external_uuid
    : resource.name || resource.id;

/** "Group Owners of tomas@acme.example in Code Hosting", for messages. */
export const itemWords = (item: Item): string => {
  const whose = item.user?.name || item.user?.email || item.account.email || item.account.username;
  return `${kindWord(item.kind)} ${itemName(item)} of ${whose} in ${item.app.name}`;
};

const HOUR_MS = 3_600_000;

/** Until when the decision can be changed; null: as long as the cycle is open. As the server has it (docs/reviews.md). */
function changeableUntil(cycle: Cycle, { decision, decided_at }: Item): Date | null {
  if (decided_at === null || (decision === 'keep' && cycle.status === 'in_progress')) return null;
  return new Date(Date.parse(decided_at) + cycle.cooling_off_hours * HOUR_MS);
}

/** Why the item cannot be decided by this person now; undefined: it can. */
export function barrier(cycle: Cycle, item: Item, me: string): string | undefined {
  if (item.user?.external_uuid === me) return 'Your own access: somebody else decides.';
  if (cycle.status === 'scheduled') return 'The review is not open yet.';
  if (item.decided_at === null && cycle.status === 'completed') return 'The review is over.';
  const until = changeableUntil(cycle, item);
  if (until !== null && until.getTime() <= Date.now()) return 'Final: its cooling-off is over.';
  return undefined;
}

/** What follows from the decision, and until when it can be taken back. */
export function consequence(cycle: Cycle, item: Item): string | undefined {
  const { decision, task } = item;
  if (decision === null) return undefined;
  const until = changeableUntil(cycle, item);
  const changeable = until === null || until.getTime() > Date.now();
  if (decision === 'keep')
    return changeable
      ? `Can be changed ${until === null ? 'until the review ends' : `for ${left(until)}`}.`
      : undefined;
  if (task === null) return 'The access was gone already: there is nothing to do.';
  if (item.seen_gone === true) return 'A later sync has seen that it is gone.';
  if (task.status === 'completed') return 'Removed; the next sync of the app will confirm it.';
  if (task.status === 'failed') return 'The removal failed: see its task.';
  if (task.status === 'cancelled' || task.status === 'preempted')
    return 'The removal was cancelled: see its task.';
  return changeable && until !== null
    ? `Removed in ${left(until)}; until then it can be taken back.`
    : 'On its way: the app has not confirmed the removal yet.';
}

const left = (until: Date) => fromNow(until).replace(/^in /, '');

const DORMANT_DAYS = 30;
const DAY_MS = 86_400_000;

export interface Fact {
  words: string;
  /** The exact moment, where there is one. */
  at?: string;
  /** Worth a second look. */
  notable?: boolean;
}

/** The item's context in plain words: what a reviewer should know before saying keep. */
export function facts(cycle: Cycle, { context, kind, decision }: Item): Fact[] {
  const { since, granted_by, last_seen_at, account_status } = context;
  const told: Fact[] = [
    { words: `${kind === 'account' ? 'There' : 'Held'} since ${fromNow(new Date(since))}`, at: since },
    granted_by === null
      ? { words: 'found by a sync, not given through Gatehouse' }
      : { words: GRANTS[granted_by.task_type] ?? 'given through Gatehouse', at: granted_by.at },
    lastSeen(last_seen_at, cycle.opened_at),
  ];
  if (account_status === 'SUSPENDED') told.push({ words: 'the account is suspended', notable: true });
  if (account_status === 'INVITED') told.push({ words: 'the account was never active', notable: true });
  if (account_status === 'INACTIVE' && decision !== 'revoke')
    told.push({ words: 'the account is gone by now', notable: true });
  return told;
}

const GRANTS: Record<string, string> = {
  USER_ACTION: 'given by an administrator, by hand',
  APPROVAL_WORKFLOW: 'given by an approved request',
  POLICY: 'given by a policy',
};

/** Frozen when the review opened, so it is told as it was then. */
function lastSeen(at: string | null, opened: string | null): Fact {
  if (at === null) return { words: 'never seen by a sync', notable: true };
  const days = Math.floor((Date.parse(opened ?? at) - Date.parse(at)) / DAY_MS);
  if (days >= DORMANT_DAYS)
    return { words: `dormant: not seen for ${grouped(days)} days before the review`, at, notable: true };
  return {
    words: days < 2 ? 'seen by the last sync before the review' : `last seen ${days} days before the review`,
    at,
  };
}
