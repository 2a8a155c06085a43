import { account, actor, app, json, type References } from '#kit/database/references.ts';

export const webhookReferences: References = {
  webhook: {
    why: 'A receiver also wants the events of those who are gone.',
    columns: { filters: json(actor('stays', 'stays'), account('stays'), app('stays')) },
  },
};
