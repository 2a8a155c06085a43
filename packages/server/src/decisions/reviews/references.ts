import { account, actor, app, id, ids, json, type References, subject } from '#kit/database/references.ts';

export const reviewReferences: References = {
  review_campaign: {
    why: 'Reviewers who no longer exist do not count, nor do archived apps.',
    open: [{ deleted_at: 'null' }],
    columns: {
      settings: json(actor('moves', 'stays'), app('stays')),
      created_by: id(actor('stays', 'clears')),
    },
  },
  review_cycle: {
    why: 'As for campaigns. The progress of the opening is a place in the order of ids.',
    open: [{ status: ['scheduled', 'in_progress'] }],
    columns: {
      settings: json(actor('moves', 'stays'), app('stays')),
      last_account: id(account('stays')),
      undecided: json(subject('stays', 'stays')),
    },
  },
  review_item: {
    why: 'Decisions are evidence, with the names of that time.',
    open: [{ decision: 'null' }],
    columns: {
      app_id: id(app('stays')),
      account_id: id(account('by moveItemsOfAccounts')),
      user_id: id(subject('by moveItemsOfMerged', 'stays')),
      reviewers: ids(actor('by moveItemsOfMerged', 'by reassignItemsOfLeavers')),
      escalated_to: ids(actor('by moveItemsOfMerged', 'releases')),
      decided_by: id(actor('stays', 'refuses by key')),
      on_behalf_of: ids(actor('stays', 'refuses')),
      kept_for: json(subject('stays', 'stays')),
      earlier: json(actor('stays', 'stays')),
    },
  },
};
