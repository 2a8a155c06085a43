import { account, actor, app, id, type References } from '#kit/database/references.ts';

export const suspensionReferences: References = {
  suspension: {
    why: 'A suspension says who decided it.',
    columns: {
      app_id: id(app('by endSuspensionsOfApp')),
      account_id: id(account('moves')),
      decided_by: id(actor('stays', 'stays')),
    },
  },
};
