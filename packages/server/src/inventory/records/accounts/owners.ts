import { type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx, RequestCause } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { recordRefusals } from '../sentences.ts';
import { accountOf } from './accounts.ts';
import { lockLink } from './queries/links.ts';
import * as queries from './queries/owners.ts';

type OwnershipChange = Partial<Pick<queries.Ownership, 'kind' | 'owner'>>;

/**
 * Sets the kind and the owner of an account, or confirms those that follow from the owner that the app names. Syncs do not
 * change them afterwards. Throws 404 for an unknown owner, 400 for an owner of an
 * account that belongs to a person, and 409 for an owner who is not active.
 */
export async function setOwner(call: Call, accountId: string, change: OwnershipChange): Promise<void> {
  await transaction(call, async (tx) => {
    if (change.owner != null) await requireActive(tx, change.owner);
    await recordEvents(tx, await changeOwner(tx, call.cause, accountId.toLowerCase(), change));
  });
}

/**
 * Makes another person the owner of the service and shared accounts of one who leaves. The caller keeps that person active, and records the
 * events. Null: only counts them.
 */
export async function handOverAccounts(
  tx: CallTx,
  fromId: string,
  toId: string | null,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const owned = await queries.accountsOwnedBy(tx, fromId);
  const events: NewEvent[] = [];
  if (toId !== null)
    for (const id of owned) events.push(...(await changeOwner(tx, tx.cause, id, { owner: toId })));
  return { found: owned.length, moved: events.length, events };
}

async function changeOwner(
  tx: CallTx,
  { actor, source }: RequestCause,
  id: string,
  change: OwnershipChange,
): Promise<NewEvent[]> {
  if ((await lockLink(tx, id)) === undefined) throw notFound('Account');
  const before = await queries.findOwnership(tx, id);
  const after = ownershipAfter(before, change);
  const changes = changedFields(before, after, ['kind', 'owner', 'owner_confirmed']);
  if (changes.length === 0) return [];
  await queries.setOwnership(tx, id, after);
  const { app_id, app_name, external_id, email, username, user } = await accountOf(tx, id);
  const account = { app_id, app_name, account_id: id, external_id, email, username, user_id: user };
  const subject = { type: 'app_user' as const, uuid: id };
  return [{ type: 'account_owner.changed', actor, subject, source, payload: { ...account, changes } }];
}

function ownershipAfter(before: queries.Ownership, change: OwnershipChange): queries.Ownership {
  const kind = change.kind ?? before.kind;
  const owner = change.owner === undefined ? before.owner : (change.owner?.toLowerCase() ?? null);
  if (kind === 'person' && change.owner != null) throw recordRefusals.owner_of_personal_account();
  return { kind, owner: kind === 'person' ? null : owner, owner_confirmed: true };
}

async function requireActive(tx: OrgTx, userId: string): Promise<void> {
  const person = await queries.lockRecipient(tx, userId);
  if (person === undefined) throw notFound('Owner');
  if (person.status !== 'active') throw recordRefusals.owner_deactivated({ email: person.email });
}
