import { t } from '@lingui/core/macro';
import { foundWords, grantWords, unknownWords } from '../../access/grant-words.ts';
import type { Answer, Item as ItemOf } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { fromNow, grouped } from '../../kit/text/words.ts';

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

/** Returns until when a decision can be changed; null while the cycle is open. The server applies the same rule (docs/guides/reviews.md). */
export function changeableUntil(cycle: Cycle, { decision, decided_at }: Item): Date | null {
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

/** The row of an item in the list, if it is drawn. */
export const rowOf = ({ id }: Item) => document.querySelector(`[data-item="${id}"]`)?.closest('tr');
