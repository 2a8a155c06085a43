import { account, actor, app, id, ids, json, type References, subject } from '#kit/database/references.ts';

export const policyReferences: References = {
  policy: {
    why: 'Policies stay, also without those who wrote or enabled them. Tasks name who that was.',
    columns: {
      effects: json(app('stays')),
      enabled_by: id(actor('stays', 'stays')),
      hands: ids(actor('moves', 'stays')),
      undecided: json(subject('stays', 'stays')),
      kept: json(subject('stays', 'stays'), account('stays'), app('stays')),
      created_by: id(actor('stays', 'stays')),
    },
  },
  deleted_policy: {
    why: 'A deleted policy still decides about its open tasks.',
    columns: { definition: json(app('stays')) },
  },
  policy_firing: {
    why: 'A run decides again about those who still exist.',
    columns: {
      subjects: ids(subject('stays', 'stays'), account('stays')),
      confirmed_by: id(actor('stays', 'stays')),
      hands: ids(actor('moves', 'stays')),
      after_id: id(subject('stays', 'stays'), account('stays')),
    },
  },
  policy_undo: {
    why: 'A merge changes a person: policies that contradict each other are counted again.',
    columns: { subject_id: id(subject('stays', 'goes'), account('stays')), app_id: id(app('goes')) },
  },
  policy_day: {
    why: 'The days of a merged person have fired. Those of the person who remains are other ones.',
    columns: { user_id: id(subject('stays', 'goes')) },
  },
  policy_preview: {
    why: 'A preview expires.',
    columns: {
      undecided: json(subject('stays', 'stays')),
      missing: json(subject('stays', 'stays'), account('stays'), app('stays')),
    },
  },
  policy_preview_task: {
    why: 'A preview expires.',
    columns: { task: json(subject('stays', 'stays'), account('stays'), app('stays')) },
  },
};
