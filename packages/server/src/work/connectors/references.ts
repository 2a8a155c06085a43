import { actor, app, id, type References } from '#kit/database/references.ts';

export const connectorReferences: References = {
  connector: {
    why: 'Runs do not get the rights of another person by a merge. Somebody saves the connector again.',
    columns: { app_id: id(app('by endConnector')), acts_for: id(actor('stays', 'stays')) },
  },
  connector_secret: { columns: { app_id: id(app('by endConnector')) } },
  connector_run: {
    why: 'A run says who asked for it.',
    columns: { app_id: id(app('by endConnector')), requested_by: id(actor('stays', 'stays')) },
  },
};
