import { account, actor, app, id, type References, subject } from '#kit/database/references.ts';

export const findingReferences: References = {
  finding: {
    why: 'Findings are evaluated again after merges, deletions and archives, and what is over stays as resolved.',
    columns: {
      subject_id: id(subject('stays', 'goes'), account('stays'), app('stays')),
      app_id: id(app('stays')),
      user_id: id(subject('stays', 'clears')),
      assignee_id: id(actor('moves', 'clears')),
      accepted_by: id(actor('stays', 'stays')),
    },
  },
};
