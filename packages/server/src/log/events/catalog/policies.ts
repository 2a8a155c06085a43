import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import { BY_PERSON, Changes, Count, define, field, giver, MaybeText, optional, Text } from '../payloads.ts';

const policy = { policy_id: field('The policy.', Uuid), name: field('The name of the policy.', Text) };

/** The sources of events that a loop records for a new event or a new day. */
const BY_CLOCK = ['system', 'schedule'] as const;

/** Policies. */
export const policiesEvents = {
  'policy.created': define('Policy created', ['system'], BY_PERSON, {
    ocsf: ['entity_management', 1],
    sentence: '{who} created the policy {name}',
    payload: {
      ...policy,
      definition: field(
        'All settings, as the API returns them.',
        Type.Object({}, { additionalProperties: true }),
      ),
    },
  }),
  'policy.updated': define('Policy changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the policy {name}: {changes}',
    payload: { ...policy, changes: Changes },
  }),
  'policy.deleted': define('Policy deleted', ['system'], BY_PERSON, {
    ocsf: ['entity_management', 4],
    sentence: '{who} deleted the policy {name}',
    payload: policy,
  }),
  'policy.actions_confirmed': define('Held actions of a policy confirmed', ['system'], BY_PERSON, {
    sentence:
      '{who} confirmed {count, plural, one {# held action} other {# held actions}} of the policy {name}',
    payload: { ...policy, count: optional('The number of actions.', Count) },
  }),
  'policy.actions_discarded': define('Held actions of a policy discarded', ['system'], BY_PERSON, {
    sentence:
      '{who} discarded {count, plural, one {# held action} other {# held actions}} of the policy {name}',
    payload: { ...policy, count: optional('The number of actions.', Count) },
  }),
  'policy.access_kept': define(
    'Access kept by a policy, because another group or license gives it',
    ['system'],
    BY_CLOCK,
    {
      sentence:
        'The policy {name} kept {count, plural, one {# group or license} other {# groups or licenses}} that something else gives',
      payload: {
        ...policy,
        count: field('The number of actions.', Count),
        kept: Type.Array(
          Type.Object({
            account_id: field('The account.', Uuid),
            email: field('The email of the account.', Text),
            app_name: field('The name of the app.', Text),
            resource: field('The name of the group or license.', Text),
            via: field('The group or license that gives it.', giver),
          }),
          {
            description: 'The first 20.',
          },
        ),
      },
    },
  ),
  'policy.held': define('Actions of a policy held for confirmation', ['system'], BY_CLOCK, {
    severity: 'medium',
    sentence: 'The policy {name} waits for a confirmation of {count, plural, one {# task} other {# tasks}}',
    payload: {
      ...policy,
      count: field('The number of actions.', Count),
      because: field(
        'The group that was renamed or deleted. Null means that the actions exceed the task limit, would give access to the people behind the policy, or contradict another policy.',
        Nullable(
          Type.Object(
            {
              kind: field(
                'Whether the group was renamed or deleted.',
                Type.Enum(['group_renamed', 'group_deleted']),
              ),
              group_id: field('The group of people.', Uuid),
              from: field('The name before.', Text),
              to: field('The new name. Null if the group was deleted.', MaybeText),
              is_named: field(
                'Whether the condition mentions one of the names. False means that it compares names of groups with something else, such as an attribute.',
                Type.Boolean(),
              ),
            },
            {
              description:
                'The group that was renamed or deleted. Null: the actions exceed the task limit, would give access to the people behind the policy, or contradict another policy.',
            },
          ),
        ),
      ),
      contradicts: optional(
        'The policies that undo for somebody what this one does, and the other way round.',
        Type.Array(
          Type.Object({
            external_uuid: field('The policy.', Uuid),
            name: field('The name of the policy.', Text),
          }),
        ),
      ),
    },
  }),
  'policy.undecided': define(
    'A run of a policy that takes access away left out people whom its condition does not decide',
    ['system'],
    BY_CLOCK,
    {
      severity: 'medium',
      sentence:
        'The condition of the policy {name} decided nothing about {count, plural, one {# person} other {# people}}',
      payload: {
        ...policy,
        enabled_by: field('The person who enabled the policy. Null if nobody is known.', Nullable(Uuid)),
        count: field(
          'The number of people, and of accounts without a person, about whom the condition decided nothing.',
          Count,
        ),
        reasons: field(
          'Why the condition decided nothing, the most frequent reason first.',
          Type.Array(
            Type.Object({
              code: field(
                'The kind of reason: no value, a value of another type, or a condition that exceeds the cost limit.',
                Type.Enum(['missing', 'type', 'cost']),
              ),
              field: field(
                'The field as the condition names it. Null means that it is not known.',
                MaybeText,
              ),
              count: field('The number of people with this reason.', Count),
              message: field('The reason in words.', Text),
            }),
          ),
        ),
      },
    },
  ),
  'policy.settings_changed': define('Policy settings changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the settings of policies: {changes}',
    payload: { changes: Changes },
  }),
};
