import { account, actor, app, id, type References, subject } from '#kit/database/references.ts';

export const grantReferences: References = {
  access_grant: {
    why: 'A grant says for whom it was decided and who decided it.',
    columns: {
      app_id: id(app('by endGrantsOfApp')),
      account_id: id(account('moves')),
      for_user: id(subject('moves', 'stays')),
      decided_by: id(actor('stays', 'stays')),
    },
  },
  revoked_entry: {
    columns: {
      app_id: id(app('goes')),
      account_id: id(account('moves')),
      user_id: id(subject('moves', 'goes')),
    },
  },
};
