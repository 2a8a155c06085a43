import { actor, app, id, type References } from '#kit/database/references.ts';

export const fulfillmentReferences: References = {
  fulfillment_setting: { columns: { app_id: id(app('goes')) } },
  fulfiller: {
    counted: 'fulfilled_apps',
    columns: {
      app_id: id(app('goes')),
      member_id: { ...id(actor('moves', 'goes')), where: { kind: ['person'] }, once: ['app_id', 'kind'] },
    },
  },
  fulfillment_assignment: {
    why: 'The record of the tasks of an app stays. The next round replaces a deleted assignee.',
    counted: 'fulfillment_tasks',
    columns: {
      app_id: id(app('stays')),
      assignee_id: id(actor('moves', 'stays')),
      reported_by: id(actor('stays', 'stays')),
    },
  },
  fulfillment_attachment: {
    why: 'The file is evidence.',
    columns: { uploaded_by: id(actor('stays', 'stays')) },
  },
};
