import { account, actor, app, id, type References, subject } from '#kit/database/references.ts';

export const holdReferences: References = {
  hold_window: {
    why: 'A hold says whose changes it held, and who decided.',
    columns: {
      subject: { ...id(app('stays')), where: { kind: ['app'] } },
      client_id: { ...id(actor('stays', 'stays')), where: { client_type: ['import'] } },
      decided_by: id(actor('stays', 'stays')),
    },
  },
  hold_change: {
    why: 'A person who was deleted or merged away counts as one who left.',
    columns: { user_id: id(subject('stays', 'stays')) },
  },
  hold_firing: {
    why: 'The policy decides again about those who still exist.',
    columns: { subject: id(subject('stays', 'stays'), account('stays')) },
  },
};
