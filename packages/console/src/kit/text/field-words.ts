import { t } from '@lingui/core/macro';
import { type PersonAttributeName, personAttributeOf } from '../../../../protocol/src/person-attributes.ts';

/** Returns the name of a field, or of another value of the API, with spaces. */
export const spaced = (name: string) => name.replaceAll('_', ' ');

/** The words for fields, within a sentence. */
const WORDS: Record<string, string> = {
  acts_for: t`represented person`,
  app: t`app`,
  approval_steps: t`approval route`,
  assignment: t`assignment`,
  carries_out_tasks: t`carrying out tasks`,
  condition: t`condition`,
  cooling_off_hours: t`cooling-off period in hours`,
  definition: t`definition`,
  delay: t`delay`,
  offset_days: t`days after`,
  deputy_id: t`deputy`,
  disconnected_by_administrator: t`disconnected by an administrator`,
  domain_type: t`domain type`,
  due_days: t`days to decide`,
  due_in_working_days: t`working days until due`,
  effects: t`effects`,
  email: t`email`,
  enabled: t`enabled`,
  end_date: t`end date`,
  leave_from: t`first day of the leave`,
  leave_until: t`last day of the leave`,
  ends_at: t`end`,
  escalate_after_working_days: t`working days until escalation`,
  fallback_approvers: t`fallback approvers`,
  fallback_reviewers: t`fallback reviewers`,
  filters: t`filters`,
  first_name: t`first name`,
  frequency: t`frequency`,
  groups: t`groups`,
  host: t`host`,
  identity_type: t`identity type`,
  instructions: t`instructions`,
  kind: t`kind`,
  kinds: t`kinds of notifications`,
  last_name: t`last name`,
  manager: t`manager`,
  manager_email: t`manager`,
  name: t`name`,
  on_no_response: t`result without a decision`,
  owner: t({ message: 'owner', context: 'of an app or account' }),
  owner_confirmed: t`owner confirmed`,
  passkey: t`passkey`,
  people: t`people`,
  remind_before_working_days: t`working days between reminder and due date`,
  removal_guard: t`removal guard`,
  user_name: t`rule for usernames`,
  reviewer: t`reviewer`,
  revoke_account_by: t`action on revoked accounts`,
  role: t`role`,
  schedule: t`schedule`,
  scim_deletes: t`permanent deletion by the identity provider`,
  people_guard: t`guard of deactivated people`,
  group_guard: t`guard of members of groups`,
  person_key: t`attribute that identifies a person`,
  time_zone: t`time zone`,
  scope: t`scope`,
  second_factor: t`second factor`,
  second_factor_roles: t`roles that need a second factor`,
  passkey_roles: t`roles that need a passkey`,
  settings: t`settings`,
  sign_in_link: t`sign-in link`,
  start_date: t`start date`,
  starts_at: t`start`,
  status: t`status`,
  task_limit: t`task limit`,
  trigger: t`trigger`,
  url: t`address`,
  username: t`username`,
};

const ATTRIBUTES: Record<PersonAttributeName, string> = {
  department: t`department`,
  title: t`title`,
  location: t`location`,
  cost_center: t`cost center`,
  division: t`division`,
  organization: t`organization`,
  employee_number: t`employee number`,
};

const ATTRIBUTE = 'attributes.';

/**
 * Returns the word for a field of the API, or for an attribute of a person (`attributes.title`) in any spelling, within a sentence. An unknown
 * one keeps its name, with spaces.
 */
export function fieldWord(field: string): string {
  if (!field.startsWith(ATTRIBUTE))
    return Object.hasOwn(WORDS, field) ? (WORDS[field] as string) : spaced(field);
  const name = field.slice(ATTRIBUTE.length);
  const attribute = personAttributeOf(name);
  return attribute === undefined ? spaced(name) : ATTRIBUTES[attribute];
}

/** The same, at the beginning of a line. */
export function fieldTitle(field: string): string {
  const word = fieldWord(field);
  return (word[0] ?? '').toUpperCase() + word.slice(1);
}
