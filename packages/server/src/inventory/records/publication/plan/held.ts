import { counted } from '#kit/counted.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Slice } from '#kit/pages.ts';
import { recordRefusals } from '../../sentences.ts';
import type { Removal } from '../queries/removal.ts';
import type { Scope } from '../relations.ts';
import { differencesOf, stillHeld } from '../stale.ts';
import { listDifferences } from './queries/differences.ts';
import {
  differenceSince,
  digestRemoval,
  type HeldPlan,
  isRemembered,
  rememberRemoval,
} from './queries/held.ts';
import type { PlannedChange } from './view.ts';

/** Returns a text that changes with the records that a held removal would take. It begins with their numbers. */
const versionOf = ({ accounts, memberships, resources, digest }: HeldPlan): string =>
  `${accounts}-${memberships}-${resources}-${digest}`;

/** The records of a larger removal are not kept when it is shown: a refusal then has the numbers only. */
const MOST_REMEMBERED = 1_000_000;

/** Returns the version of a held removal, and keeps its records, so that an approval can tell what has changed since. */
export async function showHeld(tx: OrgTx, scope: Scope): Promise<string> {
  const held = stillHeld(scope);
  const plan = await digestRemoval(tx, held);
  const version = versionOf(plan);
  const isSmall = plan.accounts + plan.memberships + plan.resources <= MOST_REMEMBERED;
  if (isSmall && !(await isRemembered(tx, scope, version))) await rememberRemoval(tx, scope, version, held);
  return version;
}

type Kind = 'accounts' | 'memberships' | 'resources';

/** How a held removal differs from the plan that was shown. */
export interface HeldDifference {
  detail: string;
  counts: Record<Kind, { before: number; now: number }>;
  /** Records that were in the plan and would stay now. Null if the plan's records are no longer known. */
  spared: Slice<PlannedChange> | null;
  /** Records that were not in the plan and would be removed now. */
  added: Slice<PlannedChange> | null;
}

/**
 * Returns the difference if the removal has changed since its plan was read. The caller holds the app's lock. Throws 400
 * for a text that is not a plan.
 */
export async function differenceToPlan(
  tx: OrgTx,
  scope: Scope,
  plan: string,
): Promise<HeldDifference | undefined> {
  const seen = /^(\d+)-(\d+)-(\d+)-[0-9a-f]{32}$/.exec(plan);
  if (seen === null) throw recordRefusals.plan_malformed();
  const held = stillHeld(scope);
  const now = await digestRemoval(tx, held);
  if (versionOf(now) === plan) return undefined;
  const [accounts = 0, memberships = 0, resources = 0] = seen.slice(1).map(Number);
  const before = { accounts, memberships, resources };
  const of = (kind: Kind) => ({ before: before[kind], now: now[kind] });
  const isKnown = await isRemembered(tx, scope, plan);
  const { spared, added } = differenceSince(scope, plan, held);
  return {
    detail:
      `The removal has changed since you read its plan. It would now remove ${sizeOf(now)}; ` +
      `the plan was ${sizeOf(before)}. Read the plan again, then decide.`,
    counts: { accounts: of('accounts'), memberships: of('memberships'), resources: of('resources') },
    spared: isKnown ? await firstOf(tx, scope, spared) : null,
    added: isKnown ? await firstOf(tx, scope, added) : null,
  };
}

const SHOWN = 20;

const firstOf = (tx: OrgTx, { orgId }: Scope, removal: Removal): Promise<Slice<PlannedChange>> =>
  listDifferences(
    tx,
    [
      {
        applied: false,
        query: differencesOf({ orgId }, removal),
      },
    ],
    { type: null, change: null, applied: null, q: null },
    { limit: SHOWN, offset: 0 },
  );

const sizeOf = ({ accounts, memberships, resources }: Record<Kind, number>): string =>
  `${counted(accounts, 'account')}, ${counted(memberships, 'membership')} and ` +
  counted(resources, 'group or license', 'groups and licenses');
