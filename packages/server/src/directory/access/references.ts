import { actor, app, id, type References, subject } from '#kit/database/references.ts';

export const accessReferences: References = {
  api_key: {
    why: 'The creator of a key may hold it, whoever they are now.',
    columns: {
      created_by: id(actor('stays', 'refuses by key')),
      user_id: id(subject('by revokeKeysOfMerged', 'by deleteKeysOfDeletedPeople')),
    },
  },
  given_means: {
    why: 'Who was behind an act stays so, whoever is deleted.',
    columns: {
      receiver_id: id(subject('stays', 'stays')),
      giver_id: id(actor('moves', 'stays')),
    },
  },
  former_administrator: {
    why: 'Somebody else was there, whoever is deleted. A merged record is followed when it is read.',
    columns: { user_id: id(subject('stays', 'stays')) },
  },
  api_key_app: { why: 'An archived app keeps its keys.', columns: { app_id: id(app('stays')) } },
};
