import { account, actor, app, id, ids, json, type References } from '#kit/database/references.ts';

export const queryReferences: References = {
  saved_query: {
    why: 'A query shows what exists now: it finds nothing about what is gone.',
    columns: {
      owner_id: id(actor('moves', 'goes')),
      recipients: ids(actor('moves', 'clears')),
      definition: json(actor('moves', 'stays'), account('stays'), app('stays')),
    },
  },
};
