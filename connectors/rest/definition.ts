import {
  ACCOUNT_FIELDS,
  fieldsOf,
  GROUP_FIELDS,
  LICENSE_FIELDS,
  type RecordFields,
  taskErrorCodes,
} from '@gatehouse/connector/declarative';
import { type Static, type TOptional, type TSchema, type TString, Type } from 'typebox';

const strict = { additionalProperties: false };
const object = <P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { ...strict, ...(description ? { description } : {}) });
const optional = Type.Optional;
const expression = (description: string) => Type.String({ minLength: 1, description: `CEL: ${description}` });
const template = (description: string) =>
  Type.String({
    minLength: 1,
    description: `${description}; {{ expression }} and \${SETTING} insert values`,
  });
const path = (method: string) =>
  optional(Type.String({ pattern: '^/', description: `${method} this path below base_url` }));
const conditions = (description: string) =>
  Type.Array(Type.Union([Type.Integer({ minimum: 100, maximum: 599 }), Type.String({ minLength: 1 })]), {
    description: `${description}: statuses, or expressions over response, status and headers`,
  });

const request = {
  get: path('GET'),
  post: path('POST'),
  put: path('PUT'),
  patch: path('PATCH'),
  delete: path('DELETE'),
  query: optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'Query parameters; an expression that gives null or an empty text is an error',
    }),
  ),
  headers: optional(Type.Record(Type.String(), Type.String())),
  body: optional(
    Type.Unknown({ description: 'Sent as JSON; a key whose expression gives null is left out' }),
  ),
  form: optional(
    Type.Record(Type.String(), Type.String(), { description: 'Sent as application/x-www-form-urlencoded' }),
  ),
};

const paginate = object(
  {
    by: Type.Enum(['page', 'offset', 'cursor', 'link', 'url'], {
      description:
        'page or offset: a number in the query; cursor: a token of the response; link: the Link header; url: a URL in the response',
    }),
    param: optional(Type.String({ description: 'Parameter for the page number, offset or cursor' })),
    in: optional(Type.Enum(['query', 'body'], { description: 'Where the cursor goes (query)' })),
    first: optional(Type.Integer({ minimum: 0, description: 'First page number (1) or offset (0)' })),
    size_param: optional(Type.String({ description: 'Parameter for the size of a page' })),
    size: optional(Type.Integer({ minimum: 1, description: 'The size of a page' })),
    next: optional(expression('the next cursor or URL; null after the last page')),
    more: optional(expression('whether another page follows')),
    origin: optional(
      Type.Enum(['base_url'], {
        description:
          'For link and url: take only the path and the query of the next address, because a gateway hides the origin that the application knows; otherwise, another origin is an error',
      }),
    ),
    total: optional(expression('the number of items of the whole list; the list must have that many')),
    max_pages: optional(
      Type.Integer({ minimum: 1, description: 'More pages than this are an error (10000)' }),
    ),
  },
  'How to get all pages',
);

const list = {
  ...request,
  values: optional(Type.Array(Type.Unknown(), { description: 'A fixed list instead of a request' })),
  items: optional(expression('the items in the response (response)')),
  skip: optional(expression('true for an item that is not a record')),
  paginate: optional(paginate),
};

const expectations = Type.Union([
  expression('true if the state is reached that the step asks for'),
  Type.Array(
    object({
      that: expression('true if the state is reached'),
      else: template('The state that the account is in instead, as a sentence for administrators'),
    }),
    { minItems: 1 },
  ),
]);

const step = object({
  ...request,
  when: optional(expression('whether the step is needed')),
  success: optional(conditions('The step succeeded (default: 2xx)')),
  already: optional(conditions('The step had been done before, which is a success')),
  errors: optional(errorMap()),
  expect: optional(expectations),
  created: optional(
    conditions('The step created a new account (default: 201); only such an account is removed again'),
  ),
  capture: optional(
    Type.Record(Type.String({ pattern: '^[a-z_][a-z0-9_]*$' }), Type.String(), {
      description: 'Values of the response for later steps: captured.NAME',
    }),
  ),
  repeat: optional(
    Type.Boolean({ description: 'Whether it is safe to send twice (GET, PUT and DELETE: true)' }),
  ),
});
const steps = Type.Array(step, { minItems: 1 });

function errorMap() {
  const codes = taskErrorCodes.map((code) => [code, optional(conditions(`Fails with ${code}`))] as const);
  type Codes = (typeof taskErrorCodes)[number];
  return object(
    Object.fromEntries(codes) as Record<Codes, (typeof codes)[number][1]>,
    'Which responses mean which task error',
  );
}

const members = optional(
  object(
    {
      ...list,
      account: expression('the id of the account that the item stands for'),
      accounts: optional(Type.String({ description: 'Slug of the account type, if there are several' })),
      group: optional(
        expression(
          'the id of the group that the item stands for, whose members belong to this one, too; or null',
        ),
      ),
      parent: optional(
        expression(
          'the id of the group from which this one inherits members; or null. Its item is that of the list of groups',
        ),
      ),
    },
    'A list for each group or license (variable: group): its accounts',
  ),
);
const granting = {
  members,
  add: optional(steps),
  remove: optional(steps),
};
/** An expression for each field of a record. */
function recordOf<T extends RecordFields>(table: T) {
  const expressions = fieldsOf(table).map(([name, { required, description, values }]) => {
    const gives = expression(
      values === undefined ? description : values.map((one) => `"${one}"`).join(' or '),
    );
    return [name, required === true ? gives : optional(gives)];
  });
  return object(Object.fromEntries(expressions) as Expressions<T>);
}
type Expressions<T extends RecordFields> = {
  [K in keyof T]: T[K] extends { required: true } ? TString : TOptional<TString>;
};

const group = object({
  name: Type.String({ minLength: 1 }),
  list: object(list),
  record: recordOf(GROUP_FIELDS),
  ...granting,
});
const license = object({
  name: Type.String({ minLength: 1 }),
  list: object(list),
  record: recordOf(LICENSE_FIELDS),
  ...granting,
});
const join = object({
  ...list,
  key: expression('the key of an item of this list, such as the id of an account'),
  for: optional(expression("the key that belongs to an account's item (the id of the account)")),
});
const account = object({
  name: Type.String({ minLength: 1 }),
  list: object(list),
  joins: optional(
    Type.Record(Type.String({ pattern: '^[a-z_][a-z0-9_]*$' }), join, {
      description:
        'Lists with more about the accounts. joined.NAME is the item with the key of an account, or null',
    }),
  ),
  record: recordOf(ACCOUNT_FIELDS),
  read: optional(
    object(
      { ...request, item: optional(expression('the account in the response (response)')) },
      'Reads one account',
    ),
  ),
  memberships: optional(
    Type.Record(
      Type.String(),
      Type.Union([
        Type.String({ minLength: 1 }),
        object({
          ...list,
          id: expression('the id of the group or license'),
          name: optional(expression('its name, if it may not be listed')),
          via: optional(expression('what gives it, as a map with slug and id; null if it is given directly')),
        }),
      ]),
      {
        description:
          'By slug of the group or license: an expression that gives ids or maps with id, name and via, or a list for each account',
      },
    ),
  ),
  actions: optional(
    object({
      find: optional(
        object(
          {
            ...list,
            id: expression('the id of an account that was found'),
            key: expression(
              'the field of a found account that is compared with `for`, without regard to case',
            ),
            for: expression('the username or email that is looked for'),
          },
          'Finds the account of a task. Found accounts with another key are strangers; several with the key are an error',
        ),
      ),
      create: optional(steps),
      update: optional(steps),
      delete: optional(steps),
      suspend: optional(steps),
      unsuspend: optional(steps),
      reset_password: optional(steps),
    }),
  ),
});

const oauth = {
  token_url: Type.String({ minLength: 1 }),
  scope: optional(Type.String()),
};
const auth = object(
  {
    basic: optional(object({ username: Type.String(), password: Type.String() })),
    bearer: optional(Type.String({ description: 'The token' })),
    header: optional(object({ name: Type.String(), value: Type.String() })),
    client_credentials: optional(
      object({
        ...oauth,
        client_id: Type.String(),
        client_secret: Type.String(),
        audience: optional(Type.String()),
        send_in: optional(
          Type.Enum(['header', 'body'], { description: 'Where the client id and secret go (header)' }),
        ),
      }),
    ),
    refresh_token: optional(
      object({
        ...oauth,
        refresh_token: Type.String(),
        client_id: Type.String(),
        client_secret: optional(Type.String()),
      }),
    ),
    signed_jwt: optional(
      object({
        ...oauth,
        issuer: Type.String(),
        subject: optional(Type.String({ description: 'the person for whom the service account acts' })),
        audience: optional(Type.String({ description: 'Default: token_url' })),
        private_key: Type.String({ description: 'In PEM' }),
        key_id: optional(Type.String()),
        algorithm: optional(Type.Enum(['RS256', 'ES256'])),
      }),
    ),
  },
  'One kind of authentication; none if it is left out',
);

const limits = object({
  concurrency: optional(
    Type.Integer({ minimum: 1, maximum: 32, description: 'Requests at the same time (4)' }),
  ),
  timeout: optional(Type.Number({ minimum: 1, description: 'Seconds for one complete response (60)' })),
  patience: optional(
    Type.Number({
      minimum: 1,
      description: 'Seconds for one request of a list with all its repetitions (900)',
    }),
  ),
  settle: optional(
    Type.Number({
      minimum: 0,
      description: 'Seconds for which a 404 for an account that was just created is repeated (60)',
    }),
  ),
  response_mb: optional(Type.Number({ exclusiveMinimum: 0, description: 'Size of a response (50)' })),
});

/** The format of a definition: a JSON Schema, which editors can use. */
export const definitionSchema = object({
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,62}$' }),
  description: optional(Type.String()),
  tested_with: optional(Type.String({ description: 'The product and version that it was tried with' })),
  base_url: template('The address that all paths are below'),
  auth: optional(auth),
  headers: optional(Type.Record(Type.String(), Type.String(), { description: 'Sent with every request' })),
  settings: optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String({ minLength: 3 }), {
      description: 'Descriptions of the settings that the definition uses',
    }),
  ),
  derived: optional(
    Type.Record(
      Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$' }),
      object({ ...request, value: expression('the value in the response') }),
      {
        description:
          'Settings that a request gives, such as the id of an organization of which a name is set',
      },
    ),
  ),
  check: optional(object(request, 'A request that succeeds if the settings are right')),
  who_am_i: optional(
    object(
      {
        ...request,
        id: expression('the id of the account in the response; null if the credentials belong to none'),
        accounts: optional(Type.String({ description: 'Slug of the account type, if there are several' })),
      },
      'Reads the account with which the connector signs in. No task suspends or deletes it',
    ),
  ),
  ok: optional(expression('true for a successful response, for APIs that send errors with status 200')),
  errors: optional(errorMap()),
  limits: optional(limits),
  groups: optional(Type.Record(Type.String(), group)),
  licenses: optional(Type.Record(Type.String(), license)),
  accounts: Type.Record(Type.String(), account, { minProperties: 1 }),
});

export type Definition = Static<typeof definitionSchema>;
export type RawRequest = Pick<
  Static<typeof step>,
  'get' | 'post' | 'put' | 'patch' | 'delete' | 'query' | 'headers' | 'body' | 'form'
>;
export type RawList = Static<ReturnType<typeof listObject>>;
export type RawStep = Static<typeof step>;
export type RawConditions = readonly (number | string)[];
export type RawErrors = NonNullable<RawStep['errors']>;
export type RawGroup = Static<typeof group>;
export type Paginate = Static<typeof paginate>;
export type Auth = Static<typeof auth>;

function listObject() {
  return object(list);
}
