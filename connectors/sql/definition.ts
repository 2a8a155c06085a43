import { type Document, parseText, readDocument } from '@gatehouse/connector/declarative';
import { type Static, type TSchema, Type } from 'typebox';

/** Files may leave any key without a value, which YAML reads as null. */
const may = <T extends TSchema>(type: T) => Type.Optional(type);
const closed = <P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

const scalar = (description: string) =>
  may(
    Type.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      description,
    }),
  );
const expression = (description: string) => scalar(`${description} (a CEL expression)`);
const expressions = (description: string) =>
  may(Type.Record(Type.String(), scalar('a CEL expression'), { description }));
const vars = expressions('Values for the tokens of the queries, by name.');
const sql = (description: string) => Type.String({ minLength: 1, description });
const yes = (description: string) => may(Type.Boolean({ description }));
const unused = may(Type.Unknown({ description: 'Accepted and not used.' }));

const pagination = may(
  closed({
    strategy: Type.Union([Type.Literal('offset'), Type.Literal('cursor')]),
    primary_key: may(Type.String({ description: 'Column that distinguishes rows; the cursor.' })),
    page_size: may(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Rows per page; 1000 by default.' }),
    ),
    start: scalar('Extension: the first cursor. It is empty by default.'),
  }),
);

const query = {
  vars,
  query: sql('SELECT statement. Tokens such as ?<Limit> become bound parameters.'),
  pagination,
  scope: unused,
};

const profile = may(
  Type.Unknown({ description: 'Attributes by name; of accounts, the names of persons are used.' }),
);

const userTrait = closed({
  emails: may(Type.Array(expression('Email address; the first one is used.'))),
  status: expression('active, enabled, disabled, inactive, suspended, locked or deleted'),
  login: expression('User name'),
  profile: may(Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] })),
  status_details: unused,
  account_type: unused,
  login_aliases: unused,
  last_login: expression('When the account was last used'),
  employee_ids: unused,
  manager_id: unused,
  manager_email: unused,
  mfa_enabled: expression('Whether the account signs in with a second factor: true, false, 1 or 0'),
  sso_enabled: unused,
});

const listing = closed({
  ...query,
  map: closed({
    id: expression('Identifier'),
    display_name: expression('Name'),
    description: expression('Description'),
    traits: may(Type.Object({ user: may(userTrait), role: profile, group: profile, app: profile })),
    annotations: unused,
    non_human_identity: unused,
  }),
});

const statements = {
  no_transaction: yes('Runs the queries without a transaction.'),
  queries: Type.Array(sql('Statement.'), { minItems: 1 }),
};
const provisioningAction = may(
  closed({
    ...statements,
    validation_queries: may(Type.Array(Type.String())),
    reject_if: may(closed({ query: sql('A row rejects the grant.'), reason: expression('Reason') })),
    grant_replace: unused,
    revoke_options: unused,
  }),
);

const entitlement = {
  id: scalar('Identifier'),
  display_name: expression('Name'),
  description: expression('Description'),
  purpose: unused,
  slug: unused,
  grantable_to: may(Type.Array(Type.String())),
  immutable: yes('True if it cannot be granted or revoked.'),
  annotations: unused,
  exclusion_group: unused,
  provisioning: may(closed({ vars, grant: provisioningAction, revoke: provisioningAction })),
};

const grants = closed({
  ...query,
  map: Type.Array(
    closed({
      skip_if: expression('True for rows that are not a grant of this resource'),
      principal_id: expression('Who has the grant'),
      principal_type: Type.String({ description: 'Resource type of the principal.' }),
      entitlement_id: expression('Entitlement'),
      annotations: unused,
      entitlement_resource_id: unused,
      expandable: may(
        closed({
          skip_if: expression('True for rows that are not expanded'),
          entitlement_ids: may(Type.Array(expression('type:resource:entitlement'))),
          shallow: yes('True to include direct members only.'),
        }),
      ),
    }),
    { minItems: 1 },
  ),
});

const credentials = may(
  closed({
    no_password: may(Type.Unsafe<unknown>({})),
    random_password: may(
      closed({
        preferred: may(Type.Boolean()),
        max_length: may(Type.Integer({ minimum: 12 })),
        min_length: may(Type.Integer({ maximum: 128 })),
        disallowed_characters: unused,
        constraints: unused,
      }),
    ),
    encrypted_password: unused,
  }),
);
const action = closed({
  vars,
  ...statements,
  many_rows: yes('Extension: a statement may change several rows.'),
});

const resourceType = closed({
  name: Type.String({ minLength: 1, description: 'Display name.' }),
  description: may(Type.String()),
  list: listing,
  entitlements: may(
    closed({ ...query, map: Type.Array(closed({ ...entitlement, skip_if: expression('Rows to skip') })) }),
  ),
  static_entitlements: may(Type.Array(closed({ ...entitlement, skip_if: unused }))),
  grants: may(Type.Array(grants)),
  skip_entitlements_and_grants: yes('Ignores the entitlements and grants of this type.'),
  account_provisioning: may(
    closed({
      schema: may(
        Type.Array(
          closed({
            name: Type.String({ minLength: 1 }),
            description: may(Type.String()),
            type: may(Type.String()),
            placeholder: scalar('Example'),
            required: may(Type.Boolean()),
            value: expression('Extension: the value, from account.email, account.username and so on'),
          }),
        ),
      ),
      credentials,
      validate: closed({ vars, query: sql('Reads the account to create, in the columns of the list.') }),
      create: action,
    }),
  ),
  credential_rotation: may(closed({ credentials, update: action })),
  gatehouse: may(
    closed(
      {
        kind: may(Type.Union([Type.Literal('group'), Type.Literal('license')])),
        max_count: expression('Seats of a license'),
        used_count: expression('Used seats of a license'),
        first_name: expression('First name of an account'),
        last_name: expression('Last name of an account'),
        exists: may(sql('Returns a row if the account ?<id> exists.')),
        suspend: may(action),
        unsuspend: may(action),
        delete: may(action),
        reset_password: may(action),
      },
      'Extensions of Gatehouse.',
    ),
  ),
});

/** The schema of a definition: of the file format of baton-sql, with extensions below `gatehouse`. */
export const definitionSchema = closed({
  app_name: Type.String({ minLength: 1, description: 'Name of the application.' }),
  app_description: may(Type.String()),
  connect: closed({
    dsn: may(Type.String({ description: 'mysql://, postgres://, sqlserver://, oracle:// or sqlite:' })),
    scheme: scalar('Engine, instead of a DSN'),
    host: scalar('Host'),
    port: scalar('Port'),
    database: scalar('Database'),
    user: scalar('User name, if not in the DSN'),
    password: scalar('Password, if not in the DSN'),
    params: may(Type.Record(Type.String(), Type.String())),
    databases: unused,
  }),
  resource_types: Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), resourceType, {
    minProperties: 1,
  }),
  actions: unused,
});

export type Definition = Static<typeof definitionSchema>;
export type TypeDefinition = Static<typeof resourceType>;
export type Action = Static<typeof action>;
export type Pagination = Static<typeof pagination> | undefined;
export type Credentials = Static<typeof credentials> | undefined;
export type DefinitionFile = Document<Definition>;

/** Reads a definition. Throws a Failure that names file, line and column of each mistake. */
export const readDefinition = (file: string): DefinitionFile => readDocument(file, definitionSchema);
export const parseDefinition = (text: string, file = 'definition.yml'): DefinitionFile =>
  parseText(text, file, definitionSchema);
