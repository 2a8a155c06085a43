import { actor, id, type References, subject } from '#kit/database/references.ts';

export const meansReferences: References = {
  given_means: {
    why: 'The people behind an act stay so, also those who are deleted.',
    columns: {
      receiver_id: id(subject('stays', 'stays')),
      giver_id: id(actor('moves', 'stays')),
    },
  },
  former_administrator: {
    why: 'Somebody else was there, whoever is deleted. A merged record is followed when it is read.',
    columns: { user_id: id(subject('stays', 'stays')) },
  },
};
