import { t } from '@lingui/core/macro';
import { personAttributeOf } from '../../../protocol/src/person-attributes.ts';
import { statusWord } from '../kit/controls/status.tsx';
import { fieldTitle } from '../kit/text/field-words.ts';
import { labelOf } from '../people/labels.ts';

/** The kind of value in a field, which decides the operators and how the value is entered. */
export type Kind = 'text' | 'attribute' | 'choice' | 'list' | 'date' | 'person' | 'account' | 'days' | 'flag';

/** The owner of a condition. A review decides about people only. */
export type Owner = 'policy' | 'review';

export type Operator =
  | 'is'
  | 'is_not'
  | 'one_of'
  | 'contains'
  | 'starts'
  | 'ends'
  | 'set'
  | 'unset'
  | 'includes'
  | 'excludes'
  | 'past'
  | 'future'
  | 'before'
  | 'after'
  | 'at_least'
  | 'yes'
  | 'no';

export const OPERATORS: Record<Operator, string> = {
  is: t`is`,
  is_not: t`is not`,
  one_of: t`is one of`,
  contains: t`contains`,
  starts: t`starts with`,
  ends: t`ends with`,
  set: t`exists`,
  unset: t`does not exist`,
  includes: t`include`,
  excludes: t`do not include`,
  past: t`is in the past`,
  future: t`is in the future`,
  before: t`is before`,
  after: t`is after`,
  at_least: t`is at least`,
  yes: t`yes`,
  no: t`no`,
};

const TEXT: readonly Operator[] = ['is', 'is_not', 'one_of', 'contains', 'starts', 'ends'];

export const OPERATORS_OF: Record<Kind, readonly Operator[]> = {
  text: TEXT,
  attribute: [...TEXT, 'set', 'unset'],
  choice: ['is', 'is_not', 'one_of'],
  list: ['includes', 'excludes'],
  date: ['past', 'future', 'before', 'after', 'set', 'unset'],
  person: ['set', 'unset'],
  account: ['set', 'unset'],
  days: ['at_least'],
  flag: ['yes', 'no'],
};

/** The operators that take no value. */
const ALONE: readonly Operator[] = ['set', 'unset', 'past', 'future', 'yes', 'no'];
export const takesValue = (operator: Operator) => !ALONE.includes(operator);

interface Field {
  label: string;
  kind: Kind;
  /** The values of a choice. */
  options?: { value: string; label: string }[];
}

const words = (values: readonly string[], word: (value: string) => string) =>
  values.map((value) => ({ value, label: word(value) }));

/** The fields of the builder by their path in CEL, without attributes. */
export const FIELDS: Record<string, Field> = {
  'user.email': { label: t`Email`, kind: 'text' },
  'user.username': { label: t`Username`, kind: 'text' },
  'user.first_name': { label: t`First name`, kind: 'text' },
  'user.last_name': { label: t`Last name`, kind: 'text' },
  'user.identity_type': {
    label: t`Identity type`,
    kind: 'choice',
    options: words(['human', 'service_account'], labelOf),
  },
  'user.domain_type': {
    label: t`Domain type`,
    kind: 'choice',
    options: words(['internal', 'external'], labelOf),
  },
  'user.status': { label: t`Status`, kind: 'choice', options: words(['active', 'deactivated'], statusWord) },
  'user.role': {
    label: t`Role`,
    kind: 'choice',
    options: words(['owner', 'admin', 'auditor', 'member'], labelOf),
  },
  'user.groups': { label: t`Groups`, kind: 'list' },
  'user.manager': { label: t`Manager`, kind: 'person' },
  'user.start_date': { label: t`Start date`, kind: 'date' },
  'user.end_date': { label: t`End date`, kind: 'date' },
  'user.on_leave': { label: t`On leave`, kind: 'flag' },
  account: { label: t`Account in the app`, kind: 'account' },
  'account.status': {
    label: t`Status of the account`,
    kind: 'choice',
    options: words(['ACTIVE', 'INVITED', 'SUSPENDED'], statusWord),
  },
  'account.days_since_sign_in': { label: t`Days since the last sign-in`, kind: 'days' },
  'account.mfa_enabled': { label: t`Second factor`, kind: 'flag' },
};

const ATTRIBUTE = 'user.attributes.';
export const attributeField = (name: string) => `${ATTRIBUTE}${name}`;
export const attributeOf = (field: string) =>
  field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : undefined;

/** An attribute of the organization's own has its name as the label. */
export const attributeLabel = (name: string) =>
  personAttributeOf(name) === undefined ? name : fieldTitle(`attributes.${name}`);

const WORD = /^[a-z_][a-z0-9_]*$/i;
const isWord = (name: string) => WORD.test(name);

/** Whether conditions of this owner can read a field. */
export const isReadBy = (owner: Owner, path: string) => owner === 'policy' || path.startsWith('user.');

/** Returns a field as the builder shows it, or undefined if it has no such field. */
export function fieldOf(path: string): Field | undefined {
  const attribute = attributeOf(path);
  if (attribute === undefined) return FIELDS[path];
  return attribute === '' ? undefined : { label: attributeLabel(attribute), kind: 'attribute' };
}

export const quoted = (text: string) =>
  `'${text.replace(/[\\']/g, (character) => `\\${character}`).replaceAll('\n', '\\n')}'`;

/** Returns a field as CEL reads it: `user.attributes['cost center']` if the name is not an identifier. */
export function pathInCel(field: string): string {
  const attribute = attributeOf(field);
  return attribute === undefined || isWord(attribute) ? field : `user.attributes[${quoted(attribute)}]`;
}

/** Returns an expression that is true if the field has a value. */
export function existsInCel(field: string): string {
  const attribute = attributeOf(field);
  if (attribute === undefined) return [field, '!=', 'null'].join(' ');
  return isWord(attribute) ? `has(${field})` : [quoted(attribute), 'in', 'user.attributes'].join(' ');
}
