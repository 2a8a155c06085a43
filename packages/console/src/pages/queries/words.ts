import { plural, t } from '@lingui/core/macro';
import { attributeLabel } from '../../conditions/condition-vocabulary.ts';
import { statusWord } from '../../kit/controls/status.tsx';
import { labelOf } from '../../people/labels.ts';
import { type Field, isAttribute, type SavedQuery, type Subject, stemOf } from './query.ts';

export const SUBJECT_WORDS: Record<Subject, string> = {
  people: t`People`,
  accounts: t`Accounts`,
  access: t`Access`,
};

export const GROUPS: Record<string, string> = {
  user: t`Person`,
  account: t`Account`,
  app: t`App`,
  resource: t`Group or license`,
  access: t`Access`,
};

const FIELDS: Record<string, string> = {
  'user.email': t`Email of the person`,
  'user.first_name': t`First name`,
  'user.last_name': t`Last name`,
  'user.username': t`Username of the person`,
  'user.status': t`Status of the person`,
  'user.left': t`Has left`,
  'user.role': t`Role in Gatehouse`,
  'user.identity_type': t`Kind of person`,
  'user.domain_type': t`Internal or external`,
  'user.manager': t`Manager`,
  'user.groups': t`People groups`,
  'user.on_leave': t`On leave`,
  'user.start_date': t`First day`,
  'user.end_date': t`Last day`,
  'user.source': t`Source of the person`,
  'user.created_at': t`Person added`,
  'user.accounts': t`Number of accounts`,
  'user.attributes.': t`Attribute of the person`,
  'account.id': t`Account ID`,
  'account.email': t`Email of the account`,
  'account.username': t`Username`,
  'account.display_name': t`Display name`,
  'account.status': t`Status of the account`,
  'account.linked': t`Belongs to a person`,
  'account.kind': t`Kind of account`,
  'account.owner': t`Owner of the account`,
  'account.last_sign_in_at': t`Last used`,
  'account.unused_days': t`Days without use`,
  'account.mfa_enabled': t`Second factor`,
  'account.is_own': t`Used by the connector`,
  'account.privileged': t`Privileged (holds a group with high risk)`,
  'account.entitlements': t`Number of groups and licenses`,
  'account.found': t`Account discovered by sync`,
  'account.grants': t`Account granted by`,
  'account.created_at': t`Account known since`,
  'account.attributes.': t`Attribute of the account`,
  'app.id': t`App`,
  'app.name': t`Name of the app`,
  'app.risk': t`Highest risk in the app`,
  'app.owner': t`Owner of the app`,
  'app.last_synced_at': t`Last sync`,
  'resource.id': t`Group or license ID`,
  'resource.name': t`Group or license`,
  'resource.type': t`Type`,
  'resource.slug': t`Resource type`,
  'resource.risk': t`Risk`,
  'resource.owner': t`Owner of the group or license`,
  'resource.is_paid': t`Paid license`,
  'access.granted_at': t`Access since`,
  'access.direct': t`Given directly`,
  'access.found': t`Access discovered by sync`,
  'access.grants': t`Access granted by`,
  'access.ends_at': t`Access ends`,
};

/** The label of a field; of an attribute, that of the attribute. */
export function fieldWord(name: string): string {
  const stem = stemOf(name);
  if (!isAttribute(name) || stem === name) return FIELDS[name] ?? name;
  const attribute = name.slice(stem.length);
  return stem === 'user.attributes.' ? attributeLabel(attribute) : attribute;
}

const OPERATORS: Record<string, string> = {
  is: t`is`,
  is_not: t`is not`,
  is_empty: t`is empty`,
  is_not_empty: t`is not empty`,
  contains: t`contains`,
  does_not_contain: t`does not contain`,
  starts_with: t`starts with`,
  before: t`before`,
  after: t`after`,
  more_than_days_ago: t`longer ago than (days)`,
  in_last_days: t`in the last days`,
  in_next_days: t`in the next days`,
  at_least: t`at least`,
  at_most: t`at most`,
};
export const operatorWord = (name: string): string => OPERATORS[name] ?? name;

/** Values that neither people nor statuses have. */
const VALUES: Record<string, string> = {
  scim: t`Identity provider`,
  gatehouse: t`Gatehouse`,
  person: t`Account of a person`,
  service: t`Service account`,
  shared: t`Shared account`,
  group: t`Group`,
  license: t`License`,
  request: t`Request`,
  policy: t`Policy`,
  manual: t`Administrator`,
  restore: t`Restore`,
  business_role: t`Business role`,
  emergency: t`Emergency access`,
};

/** The fields whose values are those of people. */
const OF_PEOPLE = new Set(['user.role', 'user.identity_type', 'user.domain_type']);

/** The word for a value of a choice. */
export const valueWord = ({ name }: Pick<Field, 'name'>, value: string): string =>
  OF_PEOPLE.has(name) ? labelOf(value) : (VALUES[value] ?? statusWord(value));

/** How often a scheduled query runs. */
export const EVERY: Record<NonNullable<SavedQuery['schedule']>['every'], string> = {
  daily: t`Every day`,
  weekly: t`Every week`,
  monthly: t`Every month`,
};

export const countWords: Record<Subject, (n: number) => string> = {
  people: (n) => plural(n, { one: '# person', other: '# people' }),
  accounts: (n) => plural(n, { one: '# account', other: '# accounts' }),
  access: (n) =>
    plural(n, { one: '# group or license of an account', other: '# groups and licenses of accounts' }),
};
