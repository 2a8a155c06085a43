import { refusals } from '#kit/errors.ts';

export const queryRefusals = refusals({
  not_found: {
    query_id_unknown: 'Nothing has the id {id} ({path}).',
    query_recipient_unknown: 'No person has the id {id} (schedule.recipients).',
  },
  forbidden: {
    query_people_forbidden: 'A query of people requires a key for all apps with the scope govern.',
    query_field_forbidden: 'The field {field} requires a key for all apps with the scope govern.',
    query_field_scope_missing: 'The field {field} requires a key with the scope govern.',
    query_of_another: 'Only its owner can change or delete this query. Save a copy of your own instead.',
  },
  invalid: {
    query_too_slow:
      'The query takes longer than {seconds} seconds. Add a condition that few rows meet, such as an app (app.id), a status (account.status) or a risk (resource.risk), or remove those that compare parts of texts (query.conditions).',
    query_schedule_misplaced: 'This field goes only with {every} (schedule.{field}).',
  },
  conflict: {
    too_many_queries: 'An organization can have {most} saved queries. Delete one that is no longer used.',
    too_many_own_queries: 'A person can have {most} saved queries. Delete one that is no longer used.',
    query_recipient_may_not_read:
      '{email} cannot read queries. Choose active owners, administrators and auditors (schedule.recipients).',
  },
});
