import { type Connector, typesOf } from './define.ts';
import { reason } from './errors.ts';
import { type FieldCounts, lostField } from './fields.ts';
import type { Log } from './progress.ts';
import type { Service } from './service.ts';
import type { State } from './state.ts';

/** Stops a sync that would remove more than `percent` of the existing records and at least `atLeast`. */
export type Guard = { percent: number; atLeast: number };
export const defaultGuard: Guard = { percent: 30, atLeast: 10 };

/** Accounts with access, their memberships and assignments, and the fields of all records. */
export type Seen = { accounts: number; refs: number; fields: FieldCounts };
/** How much the service has of an app: active accounts, and memberships and assignments. */
export type Held = { accounts: number; refs: number };

/**
 * Returns why this session should not be completed, or undefined if it may be. Compares with the ids of the last completed
 * run, or, on the first run on this machine, with what the service has: `held`, or else its count of active accounts.
 */
export async function guardAgainst(
  guard: Guard,
  connector: Connector,
  now: Seen,
  known: { state: State; service: Service; app: string; log: Log; held?: Held | undefined },
): Promise<string | undefined> {
  const refsBefore = known.state.knownRefs();
  const { held } = known;
  if (refsBefore === undefined && held !== undefined)
    return (
      verdict(guard, ACCESS, held.accounts - now.accounts, held.accounts) ??
      verdict(guard, REFS, held.refs - now.refs, held.refs)
    );
  if (refsBefore === undefined) {
    const active = await countActive(known);
    return active === undefined ? undefined : verdict(guard, ACCESS, active - now.accounts, active);
  }
  const slugs = typesOf(connector)
    .filter((entry) => entry.kind === 'account')
    .map((entry) => entry.slug);
  const total = (count: (slug: string) => number) => slugs.reduce((sum, slug) => sum + count(slug), 0);
  const before = total(known.state.countKnown);
  return (
    verdict(guard, ACCOUNTS, total(known.state.countGone), before) ??
    verdict(guard, ACCESS, total(known.state.countEnded), total(known.state.countActive), false) ??
    verdict(guard, REFS, refsBefore - now.refs, refsBefore) ??
    lostStatus(guard, total(known.state.countRevived), total(known.state.countIdle)) ??
    lostField(guard.atLeast, connector, known.state.knownFields() ?? now.fields, now.fields)
  );
}

/** A connector that may no longer read the status of accounts sees all of them active. */
const lostStatus = (guard: Guard, revived: number, idle: number): string | undefined =>
  idle >= guard.atLeast && revived > idle * 0.95
    ? `${revived} of ${idle} accounts without access have access again; check that the connector may still read their status`
    : undefined;

const ACCOUNTS = ['accounts', 'be removed'] as const;
const ACCESS = ['active accounts', 'lose their access'] as const;
const REFS = ['memberships and assignments', 'be removed'] as const;

function verdict(
  guard: Guard,
  [what, loss]: readonly [string, string],
  gone: number,
  before: number,
  /** A listing without any account is in doubt, however few there were. */
  isEmpty = gone >= before,
): string | undefined {
  if (gone <= 0) return undefined;
  if (!isEmpty && (gone < guard.atLeast || (gone / before) * 100 <= guard.percent)) return undefined;
  return `${gone} of ${before} ${what} would ${loss} (${Math.round((gone / before) * 100)} %; the guard allows ${guard.percent} %)`;
}

/** Counts active accounts (protocol 4.14). Returns undefined if the key may not read them or the service has no list. */
async function countActive({
  service,
  app,
  log,
}: {
  service: Service;
  app: string;
  log: Log;
}): Promise<number | undefined> {
  try {
    const { count } = await service.listAccounts({ app, status: 'ACTIVE', limit: '1' });
    return Number.isInteger(count) ? count : undefined;
  } catch (error) {
    log.info(`the removal guard cannot compare this first run (${reason(error)})`);
    return undefined;
  }
}
