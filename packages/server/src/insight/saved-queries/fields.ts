import { GRANT_KINDS } from '#inventory/records/accounts/grant-kinds.ts';
import { ROLES } from '#kit/identity.ts';

/** The things that a query lists. `access` has a row for each group or license of an account. */
export const SUBJECTS = ['people', 'accounts', 'access'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** A person, account and so on as `id`. `choices` and `texts` have several values. */
export type FieldType = 'text' | 'choice' | 'choices' | 'texts' | 'flag' | 'time' | 'day' | 'count' | 'id';

export interface Field {
  type: FieldType;
  description: string;
  subjects: readonly Subject[];
  /** The values of a choice. */
  values?: readonly string[];
  /** The things that an id names. */
  names?: 'user' | 'app';
  /**
   * Callers who may ask for it: all that may list accounts, those who may also read apps (`apps`), or those who may list people (`people`):
   * no list shows a field to somebody who may not read it elsewhere, and a condition would show it, too.
   */
  needs?: 'apps' | 'people';
}

const ALL = SUBJECTS;
const INVENTORY = ['accounts', 'access'] as const;
const ACCESS = ['access'] as const;

const field = (type: FieldType, subjects: readonly Subject[], description: string, more = {}): Field => ({
  type,
  subjects,
  description,
  ...more,
});
/** A field of a person that only people who may list people can read. */
const ofPerson = (type: FieldType, description: string, more = {}) =>
  field(type, ALL, description, { needs: 'people', ...more });
const ofAccount = (type: FieldType, description: string, more = {}) =>
  field(type, INVENTORY, description, more);
const ofApp = (type: FieldType, description: string, more = {}) => field(type, INVENTORY, description, more);
const ofAccess = (type: FieldType, description: string, more = {}) => field(type, ACCESS, description, more);

const RISKS = { values: ['low', 'medium', 'high'] };

/** The fields of queries. Their names are those of the API and of conditions in CEL; their values in SQL are in queries/values.ts. */
export const FIELDS = {
  'user.email': field('text', ALL, 'Email of the person'),
  'user.first_name': field('text', ALL, 'First name'),
  'user.last_name': field('text', ALL, 'Last name'),
  'user.username': ofPerson('text', 'Username of the person'),
  'user.status': ofPerson('choice', 'Status of the person', { values: ['active', 'deactivated'] }),
  'user.left': field('flag', ALL, 'Whether the person is deactivated or past their end date (UTC)'),
  'user.role': ofPerson('choice', 'Role in Gatehouse', { values: ROLES }),
  'user.identity_type': ofPerson('choice', 'Human or service account', {
    values: ['human', 'service_account'],
  }),
  'user.domain_type': ofPerson('choice', 'Internal or external', { values: ['internal', 'external'] }),
  'user.manager': ofPerson('id', 'Manager of the person', { names: 'user' }),
  'user.groups': ofPerson('texts', 'Names of the people groups of the person'),
  'user.on_leave': ofPerson('flag', 'Whether the person is on leave now'),
  'user.start_date': ofPerson('day', 'First day'),
  'user.end_date': ofPerson('day', 'Last day'),
  'user.source': ofPerson('choice', 'Where the record of the person comes from', {
    values: ['scim', 'gatehouse'],
  }),
  'user.created_at': ofPerson('time', 'When the person was added'),
  'user.accounts': field('count', ['people'], 'Number of accounts that the person could use or resume', {
    needs: 'people',
  }),

  'account.id': ofAccount('text', 'Id of the account in the external system'),
  'account.email': ofAccount('text', 'Email of the account'),
  'account.username': ofAccount('text', 'Username of the account'),
  'account.display_name': ofAccount('text', 'Display name of the account'),
  'account.status': ofAccount('choice', 'Status of the account', {
    values: ['NEW', 'INVITED', 'ACTIVE', 'SUSPENDED', 'INACTIVE'],
  }),
  'account.linked': ofAccount('flag', 'Whether the account belongs to a person'),
  'account.kind': ofAccount('choice', 'Account of a person, service account or shared account', {
    values: ['person', 'service', 'shared'],
  }),
  'account.owner': ofAccount('id', 'Owner of a service or shared account', { names: 'user' }),
  'account.last_sign_in_at': ofAccount('time', 'When the account was last used, as the app says'),
  'account.unused_days': ofAccount(
    'count',
    'Days since the account was last used, or since it is known if it never was; empty if the app does not say when accounts are used',
  ),
  'account.mfa_enabled': ofAccount(
    'flag',
    'Whether the account signs in with a second factor; empty if unknown',
  ),
  'account.is_own': ofAccount('flag', 'Whether the connector signs in with the account'),
  'account.privileged': ofAccount('flag', 'Whether the account holds a group whose risk is high'),
  'account.entitlements': ofAccount('count', 'Number of groups and licenses of the account'),
  'account.found': ofAccount('flag', 'Whether a sync found the account, so that Gatehouse did not give it'),
  'account.grants': ofAccount('choices', 'Kinds of the decisions in force that give the account itself', {
    values: GRANT_KINDS,
  }),
  'account.created_at': ofAccount('time', 'When the account became known'),

  'app.id': ofApp('id', 'App', { names: 'app' }),
  'app.name': ofApp('text', 'Name of the app'),
  'app.risk': ofApp('choice', 'Highest risk of the existing groups and licenses of the app', RISKS),
  'app.owner': ofApp('id', 'Owner of the app', { names: 'user', needs: 'apps' }),
  'app.last_synced_at': ofApp('time', 'When the app was last synced', { needs: 'apps' }),

  'resource.id': ofAccess('text', 'Id of the group or license in the external system'),
  'resource.name': ofAccess('text', 'Name of the group or license'),
  'resource.type': ofAccess('choice', 'Group or license', { values: ['group', 'license'] }),
  'resource.slug': ofAccess('text', 'Resource type of the group or license'),
  'resource.risk': ofAccess('choice', 'Risk of the group or license', RISKS),
  'resource.owner': ofAccess('id', 'Owner that the app names for the group or license', { names: 'user' }),
  'resource.is_paid': ofAccess('flag', 'Whether the license costs money; empty if unknown'),

  'access.granted_at': ofAccess('time', 'Since when the account has the group or license'),
  'access.direct': ofAccess('flag', 'Whether nothing else gives it, such as a parent group'),
  'access.found': ofAccess('flag', 'Whether a sync found it, so that Gatehouse did not give it'),
  'access.grants': ofAccess('choices', 'Kinds of the decisions in force that give it', {
    values: GRANT_KINDS,
  }),
  'access.ends_at': ofAccess('time', 'When the last of these decisions ends; empty without an end'),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** Attributes have free names: `user.attributes.department`. */
export const ATTRIBUTES = {
  'user.attributes.': ofPerson('text', 'Attribute of the person'),
  'account.attributes.': ofAccount('text', 'Attribute of the account'),
} as const satisfies Record<string, Field>;
export type AttributePrefix = keyof typeof ATTRIBUTES;
const PREFIXES = Object.keys(ATTRIBUTES) as AttributePrefix[];
const LONGEST_ATTRIBUTE_NAME = 100;

export type NamedField = Field & { name: string } & (
    | { known: FieldName; attribute?: undefined }
    | { known?: undefined; attribute: { of: AttributePrefix; name: string } }
  );

/** Returns the field with this name that a subject has. */
export function fieldOf(subject: Subject, name: string): NamedField | undefined {
  const found = declared(name);
  return found?.subjects.includes(subject) ? found : undefined;
}

function declared(name: string): NamedField | undefined {
  if (Object.hasOwn(FIELDS, name)) {
    const known = name as FieldName;
    return { ...FIELDS[known], name, known };
  }
  const of = PREFIXES.find((prefix) => name.startsWith(prefix));
  const attribute = of === undefined ? '' : name.slice(of.length);
  if (of === undefined || attribute === '' || attribute.length > LONGEST_ATTRIBUTE_NAME) return undefined;
  return { ...ATTRIBUTES[of], name, attribute: { of, name: attribute } };
}

/** The names of the fields of a subject, as errors list them. */
export const namesOf = (subject: Subject): string[] => [
  ...FIELD_NAMES.filter((name) => (FIELDS[name].subjects as readonly Subject[]).includes(subject)),
  ...PREFIXES.filter((prefix) => (ATTRIBUTES[prefix].subjects as readonly Subject[]).includes(subject)).map(
    (prefix) => `${prefix}<name>`,
  ),
];

/** Lists have no order by several values. */
export const isSortable = ({ type }: Field): boolean => type !== 'choices' && type !== 'texts';

/** The columns of a query that names none. The first one sorts it. */
export const DEFAULT_COLUMNS: Record<Subject, readonly [FieldName, ...FieldName[]]> = {
  people: [
    'user.email',
    'user.first_name',
    'user.last_name',
    'user.status',
    'user.end_date',
    'user.accounts',
  ],
  accounts: ['account.email', 'app.name', 'account.status', 'user.email', 'account.last_sign_in_at'],
  access: [
    'resource.name',
    'app.name',
    'account.email',
    'user.email',
    'resource.risk',
    'access.granted_at',
    'access.grants',
  ],
};
