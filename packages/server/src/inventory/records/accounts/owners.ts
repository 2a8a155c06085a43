import { type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import { recordEvents } from '#log/events/record.ts';
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
  const id = accountId.toLowerCase();
  await transaction(call, async (tx) => {
    if (change.owner != null) await requireActive(tx, change.owner);
    if ((await lockLink(tx, id)) === undefined) throw notFound('Account');
    const before = await queries.findOwnership(tx, id);
    const after = ownershipAfter(before, change);
    const changes = changedFields(before, after, ['kind', 'owner', 'owner_confirmed']);
    if (changes.length === 0) return;
    await queries.setOwnership(tx, id, after);
    const { app_id, app_name, external_id, email, username, user } = await accountOf(tx, id);
    const account = { app_id, app_name, account_id: id, external_id, email, username, user_id: user };
    await recordEvents(tx, [
      {
        type: 'account_owner.changed',
        actor: call.cause.actor,
        subject: { type: 'app_user', uuid: id },
        source: call.cause.source,
        payload: { ...account, changes },
      },
    ]);
  });
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
