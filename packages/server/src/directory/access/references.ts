import { actor, app, id, type References, subject } from '#kit/database/references.ts';

export const accessReferences: References = {
  api_key: {
    why: 'The creator of a key may hold it, whoever they are now.',
    columns: {
      created_by: id(actor('stays', 'refuses by key')),
      user_id: id(subject('by revokeKeysOfMerged', 'by deleteKeysOfDeletedPeople')),
    },
  },
  api_key_app: { why: 'An archived app keeps its keys.', columns: { app_id: id(app('stays')) } },
};
