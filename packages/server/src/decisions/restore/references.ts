import { account, actor, app, id, json, type References, subject } from '#kit/database/references.ts';

export const restoreReferences: References = {
  access_restore: {
    why: 'A plan is compared with the present when it is applied.',
    columns: {
      created_by: id(actor('stays', 'stays')),
      input: json(subject('stays', 'stays'), account('stays'), app('stays')),
      tasks: json(subject('stays', 'stays'), account('stays'), app('stays')),
    },
  },
};
