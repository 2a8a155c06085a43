import type { App } from '#inventory/apps/app.ts';
import type { OrgTx } from '#kit/database.ts';
import type { NewEvent } from '#log/events/record.ts';
import { noLongerAwaited } from '../accounts/awaited.ts';
import { correlationEvents, mergeAccounts } from '../accounts/correlation.ts';
import { afterLinks, linkMoveEvents } from '../accounts/links.ts';
import { settle } from '../accounts/queries/correlation.ts';
import { beginTaskChange } from '../history/change.ts';
import { bySync } from '../sessions/session.ts';
import type { PublishedAccounts } from './accounts.ts';
import { findExpected, findLateAdoptions, rememberSent } from './queries/correlation.ts';
import { startedAt } from './queries/plan.ts';
import type { Scope } from './relations.ts';

/**
 * Lets candidates that an earlier session left take over the accounts that they fit, at the end of a completed session (D24). Returns
 * their number and the events.
 */
export async function adoptCandidates(
  tx: OrgTx,
  scope: Scope,
  app: App,
): Promise<{ adopted: number; events: NewEvent[] }> {
  const expected = await findExpected(tx, scope);
  const merges = expected.awaited ? await findLateAdoptions(tx, scope, startedAt(scope)) : [];
  const adopted = merges.length;
  if (adopted === 0) return { adopted, events: [] };
  const ids = merges.map(({ account_id }) => account_id);
  await settle(tx, ids);
  await rememberSent(tx, scope, merges);
  const changes = await mergeAccounts(tx, await beginTaskChange(tx), merges);
  await noLongerAwaited(tx, ids);
  const cause = bySync(scope.sessionId);
  const linked = await afterLinks(tx, ids, cause);
  const known =
    app.last_synced_at === null ? [] : await correlationEvents(tx, cause, ids.map(unknown), changes);
  return { adopted, events: [...known, ...linked] };
}

/** The events of accounts that pushed records took over, and of those that moved to another person. */
export async function takeoverEvents(
  tx: OrgTx,
  scope: Scope,
  app: App,
  { adopted, moved }: Pick<PublishedAccounts, 'adopted' | 'moved'>,
): Promise<NewEvent[]> {
  if (app.last_synced_at === null) return [];
  return [
    ...(await correlationEvents(tx, bySync(scope.sessionId), adopted.map(unknown), [])),
    ...(await linkMoveEvents(tx, bySync(scope.sessionId), moved)),
  ];
}

const unknown = (id: string) => ({ id, from: null });
