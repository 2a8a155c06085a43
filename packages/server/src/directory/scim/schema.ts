import { personAttributes } from '../../../../protocol/src/person-attributes.ts';
/** The schemas of RFC 7643 for the resources that Gatehouse serves, without the attributes that it ignores. */

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** Attributes that no standard schema has. */
export const GATEHOUSE = 'urn:ietf:params:scim:schemas:extension:gatehouse:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact?: boolean;
  canonicalValues?: string[];
  referenceTypes?: string[];
  mutability: 'readOnly' | 'readWrite' | 'immutable';
  returned: 'always' | 'default';
  uniqueness?: 'none' | 'server';
  subAttributes?: Attribute[];
}

export interface ResourceType {
  name: 'User' | 'Group';
  endpoint: '/Users' | '/Groups';
  description: string;
  schema: string;
  schemaName: string;
  attributes: Attribute[];
  extension?: Extension;
  /** The attributes that only Gatehouse has. Inside, they are beside those of the main schema. */
  own?: Extension;
}

interface Extension {
  schema: string;
  name: string;
  description: string;
  attributes: Attribute[];
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const boolean = (name: string, description: string): Attribute => ({
  name,
  type: 'boolean',
  multiValued: false,
  description,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
});

const complex = (
  name: string,
  description: string,
  subAttributes: Attribute[],
  more: Partial<Attribute> = {},
): Attribute => ({
  name,
  type: 'complex',
  multiValued: false,
  description,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  subAttributes,
  ...more,
});

/** Defines a list of typed values, such as emails. */
const values = (
  name: string,
  description: string,
  canonicalValues: string[],
  value: Partial<Attribute> = {},
) =>
  complex(
    name,
    description,
    [
      text('value', description, value),
      text('display', 'A human-readable name, primarily used for display purposes.'),
      text('type', "A label indicating the attribute's function.", { canonicalValues }),
      boolean('primary', 'Whether this is the preferred value. At most one value is preferred.'),
    ],
    { multiValued: true },
  );

export const User: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'A person of the organization',
  schema: USER,
  schemaName: 'User',
  attributes: [
    text('userName', 'The username, unique among users regardless of case.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', "The components of the user's name.", [
      text('formatted', 'The full name, formatted for display.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle name.'),
      text('honorificPrefix', 'The honorific prefix.'),
      text('honorificSuffix', 'The honorific suffix.'),
    ]),
    text('displayName', 'The name of the user, suitable for display.'),
    text('nickName', 'The nickname of the user.'),
    text('profileUrl', "The URL of the user's profile.", { type: 'reference', referenceTypes: ['external'] }),
    text('title', "The user's job title."),
    text(
      'userType',
      'The relationship between the organization and the user, such as Employee or Contractor.',
    ),
    text('preferredLanguage', "The user's preferred language."),
    text('locale', "The user's locale, such as en-US."),
    text('timezone', "The user's time zone, such as America/Los_Angeles."),
    boolean('active', 'Whether the person is active. False deactivates them.'),
    values('emails', 'Email addresses. A work email is required.', ['work', 'home', 'other']),
    values('phoneNumbers', 'Phone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    values('ims', 'Instant messaging addresses.', [
      'aim',
      'gtalk',
      'icq',
      'xmpp',
      'msn',
      'skype',
      'qq',
      'yahoo',
    ]),
    values('photos', 'URLs of photos.', ['photo', 'thumbnail'], {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    complex(
      'addresses',
      'Physical mailing addresses.',
      [
        text('formatted', 'The full address, formatted for display.'),
        text('streetAddress', 'The street address.'),
        text('locality', 'The city or locality.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country.'),
        text('type', "A label indicating the attribute's function.", {
          canonicalValues: ['work', 'home', 'other'],
        }),
        boolean('primary', 'Whether this is the preferred address.'),
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      'The groups of the user. To change them, change the members of the groups.',
      [
        text('value', 'The id of the group.', { mutability: 'readOnly' }),
        text('$ref', 'The address of the group.', {
          type: 'reference',
          referenceTypes: ['User', 'Group'],
          mutability: 'readOnly',
        }),
        text('display', 'The name of the group.', { mutability: 'readOnly' }),
        text('type', 'Always direct.', { mutability: 'readOnly', canonicalValues: ['direct', 'indirect'] }),
      ],
      { multiValued: true, mutability: 'readOnly' },
    ),
  ],
  extension: {
    schema: ENTERPRISE,
    name: 'EnterpriseUser',
    description: 'Enterprise User',
    attributes: [
      ...personAttributes.flatMap(([, { enterprise: one }]) =>
        one ? [text(one.name, one.description)] : [],
      ),
      complex('manager', "The user's manager.", [
        text('value', 'The id of the manager.'),
        text('$ref', 'The address of the manager.', { type: 'reference', referenceTypes: ['User'] }),
        text('displayName', "The manager's name.", { mutability: 'readOnly' }),
      ]),
    ],
  },
  own: {
    schema: GATEHOUSE,
    name: 'GatehouseUser',
    description: 'What Gatehouse knows of a user beyond the standard',
    attributes: [
      text(
        'leaveFrom',
        'The first day of a leave, such as 2027-03-01. Without it, the user is not on leave.',
      ),
      text('leaveUntil', 'The last day of the leave. Without it, the leave has no known end.'),
    ],
  },
};

export const Group: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'A group of people. Conditions see its name in user.groups.',
  schema: GROUP,
  schemaName: 'Group',
  attributes: [
    text('displayName', 'The name. Groups can share one.', { required: true }),
    complex(
      'members',
      'The members of the group. Only users can be members.',
      [
        text('value', 'The id of the member.', { mutability: 'immutable' }),
        text('display', 'The name of the member.', { mutability: 'immutable' }),
        text('$ref', 'The address of the member.', {
          type: 'reference',
          referenceTypes: ['User', 'Group'],
          mutability: 'immutable',
        }),
        text('type', 'Always User.', { mutability: 'immutable', canonicalValues: ['User', 'Group'] }),
      ],
      { multiValued: true },
    ),
  ],
};

export const TYPES = [User, Group] as const;

/** The attributes that all resources have (RFC 7643, 3.1). They belong to no schema. */
const COMMON: Attribute[] = [
  text('id', 'The id.', {
    mutability: 'readOnly',
    returned: 'always',
    caseExact: true,
    uniqueness: 'server',
  }),
  text('externalId', "The client's id.", { caseExact: true }),
  text('schemas', 'The schemas.', { multiValued: true, mutability: 'readOnly', returned: 'always' }),
  complex(
    'meta',
    'Metadata of the resource.',
    [
      text('resourceType', 'The type.', { caseExact: true }),
      { ...text('created', 'The time of creation.'), type: 'dateTime' },
      { ...text('lastModified', 'The time of the last change.'), type: 'dateTime' },
      text('location', 'The address.', { type: 'reference', caseExact: true }),
      text('version', 'The ETag.', { caseExact: true }),
    ],
    { mutability: 'readOnly' },
  ),
];

/** Attributes that are accepted and ignored, since SCIM may not change roles or sign-in (D50). */
const IGNORED = new Set(['password', 'roles', 'entitlements', 'x509certificates']);
export const isIgnored = (name: string) => IGNORED.has(name.toLowerCase());

/** A place in a resource. With `extension` and no attribute, it is the whole extension. */
export interface Place {
  extension: boolean;
  attribute: Attribute | undefined;
  sub: Attribute | undefined;
}

export const find = (attributes: readonly Attribute[], name: string) =>
  attributes.find((attribute) => attribute.name.toLowerCase() === name.toLowerCase());

/** Resolves `name` or `name.sub`, each with or without its schema URN, or the URN of an extension, in any case. */
export function placeOf(type: ResourceType, path: string): Place | undefined {
  const { extension, own } = type;
  const lower = path.toLowerCase();
  const below = (schema: string) => lower.startsWith(`${schema.toLowerCase()}:`);
  if (extension !== undefined && lower === extension.schema.toLowerCase())
    return { extension: true, attribute: undefined, sub: undefined };
  if (extension !== undefined && below(extension.schema))
    return within(extension.attributes, path.slice(extension.schema.length + 1), true);
  if (own !== undefined && below(own.schema))
    return within(own.attributes, path.slice(own.schema.length + 1), false);
  const name = below(type.schema) ? path.slice(type.schema.length + 1) : path;
  return within([...COMMON, ...type.attributes, ...(own?.attributes ?? [])], name, false);
}

function within(attributes: readonly Attribute[], path: string, extension: boolean): Place | undefined {
  const [name = '', subName, ...more] = path.split('.');
  const attribute = find(attributes, name);
  if (attribute === undefined || more.length > 0) return undefined;
  if (subName === undefined) return { extension, attribute, sub: undefined };
  const sub = find(attribute.subAttributes ?? [], subName);
  return sub === undefined ? undefined : { extension, attribute, sub };
}
