import type { MergeHook } from '#directory/people/merge.ts';

import type { NewEvent } from '#log/events/record.ts';
import { requireOthersDecisions } from './own-links.ts';
import * as queries from './queries/links.ts';

/**
 * The accounts of a merged person move to the person who remains. So do unlinked accounts with their email, since no trigger
 * may find them with a person who is deactivated. The links count as set by hand: syncs must not move them back.
 */
export const moveAccountsOfMerged: MergeHook = {
  lock: queries.holdAppsOf,
  async move(tx, { from, into, cause: { actor, source } }) {
    const accounts = await queries.moveLinks(tx, from, into.id);
    const ids = accounts.map(({ account_id }) => account_id);
    const waived = await requireOthersDecisions(tx, ids, into.id);
    const events = accounts.map(
      ({ user_id, ...account }): NewEvent => ({
        type: 'account_link.changed',
        actor,
        subject: { type: 'app_user', uuid: account.account_id },
        source,
        payload: { ...account, user_id: into.id, from: user_id, to: into.id },
      }),
    );
    return { moved: { accounts: accounts.length }, events: [...waived, ...events] };
  },
};
