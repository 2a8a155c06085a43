import { t } from '@lingui/core/macro';
import { Code } from '@mantine/core';
import { SHOWN_ATTRIBUTES } from '../../../protocol/src/person-attributes.ts';
import { CEL_DETAILS } from '../../../protocol/src/records.ts';
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
  about: t`the person`,
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
    'on_leave',
    ...SHOWN_ATTRIBUTES.map((attribute) => `attributes.${attribute}`),
    'id',
  ],
};

const ABOUT_USERS: Example[] = [
  { say: t`works in Finance`, write: "user.attributes.department == 'Finance'" },
  { say: t`is external`, write: "user.domain_type == 'external'" },
  { say: t`is a service account`, write: "user.identity_type == 'service_account'" },
  { say: t`has a title`, write: 'has(user.attributes.title)' },
  {
    say: t`has no clearance, or another one`,
    write: "!has(user.attributes.clearance) || user.attributes.clearance != 'high'",
  },
];

/** The fields available in a review's condition (docs/guides/reviews.md). */
export const OF_REVIEWS = { variables: [USER], examples: ABOUT_USERS };

/** The fields available in a policy's condition (docs/guides/policies.md). */
export const OF_POLICIES = {
  variables: [
    { ...USER, about: t`the person, or null for an orphaned account` },
    {
      name: 'account',
      about: t`the person's account in the app, or null`,
      fields: [
        'email',
        'username',
        'display_name',
        'status',
        'last_seen_at',
        'days_since_sign_in',
        ...CEL_DETAILS.map((name) => (name === 'attributes' ? 'attributes.<name>' : name)),
        'memberships.<slug>',
        'assignments.<slug>',
        'external_id',
        'id',
      ],
    },
    { name: 'app', about: t`the app of the effect`, fields: ['name', 'owner', 'id'] },
    { name: 'today', about: t`the current date in the organization's time zone, as text`, fields: [] },
  ],
  examples: [
    { say: t`everyone`, write: 'true' },
    ...ABOUT_USERS.slice(0, 2),
    { say: t`has passed the end date`, write: 'user.end_date != null && user.end_date < today' },
    { say: t`has no account in the app`, write: 'account == null' },
    { say: t`is in a group`, write: "'r1' in account.memberships.role" },
    { say: t`is an orphaned account`, write: 'user == null' },
    {
      say: t`was not used for 90 days`,
      write: 'account.days_since_sign_in != null && account.days_since_sign_in >= 90',
    },
    {
      say: t`was not seen for 90 days`,
      write:
        "account.last_seen_at != null && timestamp(account.last_seen_at) + duration('2160h') < timestamp(today + 'T00:00:00Z')",
    },
  ],
};

interface Props {
  of: { variables: readonly Variable[]; examples: readonly Example[] };
  /** Puts an example into the field. */
  use: (condition: string) => void;
}

/** Lists the available fields and examples. A click on an example uses it. */
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
      <ul aria-label={t`Examples`}>
        {examples.map(({ say, write }) => (
          <li key={write}>
            {say}
            <button type="button" onClick={() => use(write)} title={t`Use this condition`}>
              {write}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
