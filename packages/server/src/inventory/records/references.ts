import {
  account,
  actor,
  app,
  id,
  ids,
  json,
  type References,
  subject,
  type Table,
} from '#kit/database/references.ts';

const KEPT = 'An archived app keeps its inventory and its history.';

const ofApp: Table = {
  why: KEPT,
  columns: { app_id: id(app('stays')) },
};

/** The inventory, and what is known of its accounts. */
const inventory: References = {
  account: {
    why: KEPT,
    columns: {
      id: id(account('by mergeDuplicates')),
      app_id: id(app('stays')),
      user_id: id(subject('by moveAccountsOfMerged', 'by unlinkDeletedPeople')),
    },
  },
  account_count: ofApp,
  account_detail: {
    why: KEPT,
    columns: { account_id: id(account('by mergeDuplicates')), app_id: id(app('stays')) },
  },
  account_digest: { columns: { account_id: id(account('by mergeDuplicates')) } },
  account_candidate: {
    why: 'A duplicate that was merged is no longer a candidate of the account.',
    columns: { account_id: id(account('by settle')), candidate_id: id(account('stays')) },
  },
  account_correlation: {
    why: KEPT,
    columns: { account_id: id(account('by settle')), app_id: id(app('stays')) },
  },
  account_owner: {
    counted: 'owned_accounts',
    // Of accounts of people, the owner is only remembered (D83).
    counts: { kind: ['service', 'shared'] },
    columns: { account_id: id(account('by mergeDuplicates')), owner_id: id(actor('moves', 'clears')) },
  },
  link_dismissal: {
    why: 'Nothing is suggested for a duplicate, nor for a merged person.',
    columns: { account_id: id(account('stays')), user_id: id(subject('stays', 'goes')) },
  },
  entitlement: {
    why: KEPT,
    columns: {
      app_id: id(app('stays')),
      owner_id: id(actor('moves', 'clears')),
      former_owner_id: id(actor('moves', 'clears')),
    },
  },
  membership: { columns: { account_id: id(account('by mergeDuplicates')) } },
  access_loss: ofApp,
  removal_budget: ofApp,
};

/** Earlier states, and the changes that ended them. */
const history: References = {
  inventory_change: {
    why: 'The history says who made a change.',
    columns: { app_id: id(app('stays')), actor: json(actor('stays', 'stays')) },
  },
  account_period: {
    why: KEPT,
    columns: { account_id: id(account('by mergeDuplicates')), app_id: id(app('stays')) },
  },
  membership_period: {
    why: KEPT,
    columns: { account_id: id(account('by mergeDuplicates')), app_id: id(app('stays')) },
  },
  entitlement_period: ofApp,
  account_link_period: {
    why: 'The history says to whom an account belonged.',
    columns: { account_id: id(account('stays')), user_id: id(subject('stays', 'stays')) },
  },
};

const syncs: References = {
  sync_session: {
    why: 'A session says who made and decided it.',
    columns: {
      app_id: id(app('by endSessions')),
      approved_by: id(actor('stays', 'stays')),
      reverted_by: id(actor('stays', 'stays')),
      client_id: {
        ...id(actor('stays', 'stays'), app('stays')),
        where: { client_type: ['person', 'connector'] },
      },
      discards: json(actor('stays', 'stays'), app('stays')),
    },
  },
  sync_removal: {
    why: 'The removals were frozen when the session was published.',
    columns: { account_id: id(account('stays')) },
  },
  sync_plan_shown: {
    why: 'The plan as somebody saw it.',
    columns: {
      accounts: ids(account('stays')),
      member_accounts: ids(account('stays')),
      ended_accounts: ids(account('stays')),
    },
  },
  sync_plan_change: {
    why: 'A plan is computed again.',
    columns: { account_id: id(account('stays')), user_id: id(subject('stays', 'stays')) },
  },
};

export const recordReferences: References = { ...inventory, ...history, ...syncs };
