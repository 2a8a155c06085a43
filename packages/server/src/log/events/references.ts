import { account, actor, app, id, type References, subject, type Table } from '#kit/database/references.ts';

const log: Table = {
  why: 'Events say what happened to those who existed then.',
  columns: {
    actor_uuid: id(actor('stays', 'stays')),
    subject_uuid: id(subject('stays', 'stays'), account('stays'), app('stays')),
  },
};

export const eventReferences: References = { event_contract: log, event_configuration: log };
