import { actor, id, ids, json, type References, subject } from '#kit/database/references.ts';

export const peopleReferences: References = {
  platform_user: {
    why: 'The result of a merge is shown again if the merge is repeated. A succeeded person stays one without their successor.',
    columns: {
      id: id(subject('by mergePeople', 'by removePerson')),
      manager_id: id(actor('by mergePeople', 'by removePerson')),
      merged_into: id(subject('by mergePeople', 'by removePerson')),
      merge_result: json(actor('stays', 'stays')),
      succeeded_by: id(subject('stays', 'stays')),
    },
  },
  shared_value: { columns: { user_ids: ids(subject('by mergePeople', 'by removePerson')) } },
  person_period: {
    why: 'The history of people.',
    columns: { user_id: id(subject('stays', 'stays')), manager_id: id(actor('stays', 'stays')) },
  },
  person_source: {
    why: 'A person whom a provider manages is not merged away.',
    columns: { user_id: id(subject('stays', 'by removePerson')) },
  },
  person_release: {
    why: 'The provider may still send the id of the released person.',
    columns: { user_id: id(subject('stays', 'by removePerson')) },
  },
  person_group_member: { columns: { user_id: id(subject('by mergePeople', 'by removePerson')) } },
  absence: {
    why: 'The person who entered an absence did so. A leave goes on without its deputy (removePerson).',
    columns: {
      user_id: id(subject('by mergePeople', 'goes')),
      deputy_id: id(actor('by mergePeople', 'goes')),
      created_by: id(actor('stays', 'stays')),
    },
  },
  duplicate_dismissal: {
    why: 'The person who decided did so. A deleted one is not shown.',
    columns: {
      lower_id: id(subject('goes', 'goes')),
      higher_id: id(subject('goes', 'goes')),
      dismissed_by: id(actor('stays', 'stays')),
    },
  },
};
