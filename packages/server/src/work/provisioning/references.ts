import { account, actor, app, id, json, type References } from '#kit/database/references.ts';

export const provisioningReferences: References = {
  task: {
    why: 'A task says who asked for it and released it. A condition also holds or fails for somebody who was deleted.',
    // The last are those that wait for what was away.
    open: [{ status: ['scheduled', 'pending'] }, { awaits_return_until: 'not null' }],
    counted: 'tasks',
    columns: {
      app_id: id(app('by endTasksOfApp')),
      account_id: id(account('by moveTasksOfAccounts')),
      released_by: id(actor('stays', 'stays')),
      created_by: id(actor('stays', 'stays')),
      preconditions: json(actor('moves', 'stays')),
    },
  },
  reserved_user_name: {
    why: 'An archived app creates no accounts.',
    columns: { app_id: id(app('stays')) },
  },
};
