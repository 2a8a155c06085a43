import { account, actor, app, id, ids, json, type References, subject } from '#kit/database/references.ts';

export const requestReferences: References = {
  ticket: {
    why: 'Approvers who no longer exist do not count. A duplicate never has a reserved id.',
    open: [{ status: ['PENDING'] }],
    counted: 'requests',
    lockedBy: 'id',
    columns: {
      app_id: id(app('by cancelTicketsOfApp')),
      user_id: id(subject('moves', 'refuses by key')),
      requester_id: id(actor('moves', 'refuses by key')),
      created_by: id(actor('moves', 'refuses by key')),
      account_id: id(account('moves')),
      reserved_account_id: id(account('stays')),
      steps: json(actor('moves', 'stays')),
      fallback_approvers: ids(actor('moves', 'stays')),
      named: ids(actor('moves', 'stays')),
      // The question is also a comment, which refuses the deletion.
      information_requested: json(actor('stays', 'stays')),
    },
  },
  ticket_approval: {
    why: 'Decisions are evidence.',
    columns: {
      approver_id: id(actor('stays', 'refuses by key')),
      on_behalf_of: ids(actor('stays', 'refuses')),
    },
  },
  ticket_comment: { why: 'Comments are evidence.', columns: { author_id: id(actor('stays', 'refuses')) } },
};
