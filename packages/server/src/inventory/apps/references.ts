import { actor, app, id, ids, json, type References } from '#kit/database/references.ts';

export const appReferences: References = {
  app: {
    why: 'Approvers who no longer exist do not count. An archived app keeps its settings.',
    columns: {
      id: id(app('stays')),
      owner_id: id(actor('by moveAppsOfMerged', 'clears')),
      approval_steps: json(actor('by moveAppsOfMerged', 'stays')),
      fallback_approvers: ids(actor('by moveAppsOfMerged', 'stays')),
    },
  },
  connection_request: {
    counted: 'connection_requests',
    columns: { requester_id: id(actor('moves', 'clears')) },
  },
};
