import { actor, app, id, json, type References, subject } from '#kit/database/references.ts';

export const spreadsheetReferences: References = {
  upload: {
    why: 'An upload is kept for a day.',
    columns: {
      app_id: id(app('stays')),
      cause: json(actor('stays', 'stays')),
      result: json(subject('stays', 'stays')),
    },
  },
  upload_mapping: { why: 'An archived app gets no uploads.', columns: { target_id: id(app('stays')) } },
};
