import { Code } from '@mantine/core';
import classes from './condition-field.module.css';

interface Variable {
  name: string;
  about: string;
  fields: readonly string[];
}

interface Example {
  say: string;
  write: string;
}

const USER: Variable = {
  name: 'user',
  about: 'the person',
  fields: [
    'email',
    'username',
    'first_name',
    'last_name',
    'identity_type',
    'domain_type',
    'status',
    'role',
    'manager',
    'start_date',
    'end_date',
    'attributes.department',
    'attributes.title',
    'attributes.location',
    'id',
  ],
};

const ABOUT_USERS: Example[] = [
  { say: 'works in Finance', write: "user.attributes.department == 'Finance'" },
  { say: 'is from outside', write: "user.domain_type == 'external'" },
  { say: 'is a service account', write: "user.identity_type == 'service_account'" },
  { say: 'has a title at all', write: 'has(user.attributes.title)' },
];

/** What the condition of a review may speak of (docs/reviews.md). */
export const OF_REVIEWS = { variables: [USER], examples: ABOUT_USERS };

/** What the condition of a policy may speak of (docs/policies.md). */
export const OF_POLICIES = {
  variables: [
    { ...USER, about: "the person; null for an account that is nobody's" },
    {
      name: 'account',
      about: 'their account in the app; null where they have none',
      fields: [
        'email',
        'username',
        'display_name',
        'status',
        'last_seen_at',
        'memberships.<slug>',
        'assignments.<slug>',
        'external_id',
        'id',
      ],
    },
    { name: 'app', about: 'the app that an effect is about', fields: ['name', 'owner', 'id'] },
    { name: 'today', about: 'the day in UTC, as text', fields: [] },
  ],
  examples: [
    { say: 'everybody', write: 'true' },
    ...ABOUT_USERS.slice(0, 2),
    { say: 'whose last day is over', write: 'user.end_date < today' },
    { say: 'has no account in the app', write: 'account == null' },
    { say: 'is in a group', write: "'r1' in account.memberships.role" },
    { say: "nobody's account", write: 'user == null' },
    {
      say: 'not seen for 90 days',
      write: "timestamp(account.last_seen_at) + duration('2160h') < timestamp(today + 'T00:00:00Z')",
    },
  ],
};

interface Props {
  of: { variables: readonly Variable[]; examples: readonly Example[] };
  /** Takes an example into the field. */
  use: (condition: string) => void;
}

/** What a condition may speak of, with examples; a click takes one. */
export function ConditionHelp({ of: { variables, examples }, use }: Props) {
  return (
    <div className={classes.help}>
      <dl>
        {variables.map(({ name, about, fields }) => (
          <div key={name}>
            <dt>
              <Code>{name}</Code> {about}
            </dt>
            {fields.length > 0 && <dd>{fields.join(', ')}</dd>}
          </div>
        ))}
      </dl>
      <ul aria-label="Examples">
        {examples.map(({ say, write }) => (
          <li key={write}>
            {say}
            <button type="button" onClick={() => use(write)} title="Use this condition">
              {write}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
