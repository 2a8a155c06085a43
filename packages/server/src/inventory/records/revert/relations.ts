import { accountChange, membership, relation } from '../publication/queries/relations.ts';

// Each table holds the changes of one session that are to be undone. `conflict` is null, or says why a record stays.

/**
 * Accounts whose state the session changed. `undo` is `remove` for an account that did not exist before, and `restore`
 * otherwise. `former_id` is the account_period with the state before the session, if that is in the history.
 */
export const changedState = relation('revert_state', {
  account_id: 'uuid not null',
  undo: 'text not null',
  former_id: 'uuid',
  conflict: 'text',
});

/** Links that the session changed, and the person before. */
export const changedLink = relation('revert_link', {
  account_id: 'uuid not null',
  user_id: 'uuid',
  conflict: 'text',
});

/** Memberships that the session added (`period_id` is null) or removed. */
export const changedMembership = relation('revert_membership', {
  ...membership,
  period_id: 'uuid',
  conflict: 'text',
});

/**
 * Groups and licenses that the session created, renamed or removed and that have not changed since. `undo` and
 * `former_id` (an entitlement_period) mean the same as for accounts.
 */
export const changedEntitlement = relation('revert_entitlement', {
  entitlement_id: 'uuid not null',
  undo: 'text not null',
  former_id: 'uuid',
});

/** Accounts whose state was brought back, for the events. */
export const revertedAccount = relation('reverted_account', accountChange);

/** Memberships that came back, for the events. */
export const returnedMembership = relation('returned_membership', membership);

/** Memberships that were taken away, for the events. */
export const withdrawnMembership = relation('withdrawn_membership', membership);
