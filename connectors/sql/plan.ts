import { Exit, Failure } from '@gatehouse/connector';
import type { Path } from '@gatehouse/connector/declarative';
import type { Action, Credentials, DefinitionFile, Pagination, TypeDefinition } from './definition.ts';
import { engineOf, schemeOf } from './dsn.ts';
import { type Compiled, compile } from './expressions.ts';
import { parseStatement, type Statement } from './queries.ts';
import { withoutCursor } from './whole.ts';

type Raw = string | number | boolean | null | undefined;

/** A query that lists rows. */
export type Query = {
  statement: Statement;
  /** The same without its cursor: with a high limit it returns all rows. */
  whole: Statement;
  vars: ReadonlyMap<string, Compiled>;
  pagination: Pagination;
  /** True if its rows depend on the resource. */
  isPerResource: boolean;
};

export type Entitlement = {
  id: Compiled;
  name: Compiled | undefined;
  description: Compiled | undefined;
  skipIf: Compiled | undefined;
  grant: Change | undefined;
  revoke: Change | undefined;
};

/** Statements that change data. */
export type Change = {
  path: Path;
  vars: ReadonlyMap<string, Compiled>;
  statements: Statement[];
  reject: { statement: Statement; reason: Compiled | undefined } | undefined;
  isTransaction: boolean;
  mayChangeManyRows: boolean;
};

export type GrantMapping = {
  path: Path;
  /** Without the condition that resourceColumn stands for. */
  skipIf: Compiled | undefined;
  /** The column that must equal the id of the resource. */
  resourceColumn: string | undefined;
  principalId: Compiled;
  principalType: string;
  entitlementId: Compiled;
  expandable: { skipIf: Compiled | undefined; ids: Compiled[]; isShallow: boolean } | undefined;
};

export type TypePlan = {
  slug: string;
  name: string;
  kind: 'account' | 'group' | 'license';
  path: Path;
  list: Query;
  map: Record<
    | 'id'
    | 'name'
    | 'description'
    | 'email'
    | 'status'
    | 'login'
    | 'firstName'
    | 'lastName'
    | 'maxCount'
    | 'usedCount',
    Compiled | undefined
  >;
  /** When an account was last used, whether it has a second factor, and its attributes. A row may lack their columns. */
  lastLogin: Compiled | undefined;
  mfaEnabled: Compiled | undefined;
  attributes: [name: string, value: Compiled][];
  /** Fixed entitlements. Undefined if a query lists them. */
  statics: Entitlement[] | undefined;
  dynamic: { query: Query; map: Entitlement[] } | undefined;
  grants: { query: Query; map: GrantMapping[] }[];
  create:
    | {
        fields: Field[];
        validate: { statement: Statement; vars: ReadonlyMap<string, Compiled> };
        change: Change;
        credentials: Credentials;
        needsPassword: boolean;
      }
    | undefined;
  exists: Statement | undefined;
  suspend: Change | undefined;
  unsuspend: Change | undefined;
  delete: Change | undefined;
  resetPassword: { change: Change; credentials: Credentials } | undefined;
};

export type Field = { name: string; isRequired: boolean; value: Compiled | undefined };

/** A definition whose expressions and statements are compiled. */
export type Plan = { file: DefinitionFile; types: TypePlan[] };

const RESOURCE_TOKENS = ['resource.id', 'resource.type', 'resource.displayname'];
const PAGE_TOKENS = ['limit', 'offset', 'cursor'];
const PRINCIPAL_TOKENS = ['principal.id', 'principal.type', 'entitlement.id'];
/** A condition that begins with `.column != resource.ID`. A conditional expression could change its meaning. */
const OF_ANOTHER =
  /^\s*(?:string\(\s*\.(?=\w+\s*\))|\.(?!\w+\s*\)))([A-Za-z_]\w*)\s*\)?\s*!=\s*resource\.ID\s*(?:\|\|([^?]*))?$/;
const FIRST_NAMES = ['first_name', 'firstname', 'given_name', 'givenname'];
const LAST_NAMES = ['last_name', 'lastname', 'family_name', 'familyname', 'surname'];
const NAMES_OF_PEOPLE = [...FIRST_NAMES, ...LAST_NAMES];

/** Compiles a definition. Throws a Failure that names line and column of a mistake. */
export function planOf(file: DefinitionFile): Plan {
  const { connect, resource_types: types } = file.value;
  if (engineOf(connect) === undefined)
    throw file.failure(
      ['connect', connect.dsn ? 'dsn' : 'scheme'],
      `the engine "${schemeOf(connect)}" is not supported; use mysql, postgres, sqlserver, oracle or sqlite`,
    );
  if (connect.databases)
    throw file.failure(['connect', 'databases'], 'several databases in one definition are not supported');
  const plans = Object.entries(types).map(([slug, type]) => typePlan(file, slug, type));
  if (!plans.some(({ kind }) => kind === 'account'))
    throw file.failure(['resource_types'], 'no resource type has the trait user, so there are no accounts');
  for (const plan of plans) {
    for (const { map } of plan.grants) {
      const unknown = map.find(({ principalType }) => !(principalType in types));
      if (unknown)
        throw file.failure(
          [...unknown.path, 'principal_type'],
          `there is no resource type "${unknown.principalType}"`,
        );
    }
  }
  return { file, types: plans };
}

function typePlan(file: DefinitionFile, slug: string, type: TypeDefinition): TypePlan {
  const path: Path = ['resource_types', slug];
  const isSqlite = engineOf(file.value.connect) === 'sqlite';
  const { map } = type.list;
  const user = map.traits?.user;
  const extension = type.gatehouse ?? {};
  const kind = user ? 'account' : (extension.kind ?? 'group');
  const one = (raw: Raw, ...at: Path): Compiled | undefined =>
    raw === undefined || raw === null || raw === '' ? undefined : compile(file, [...path, ...at], raw);
  const name = (raw: Raw, ...at: Path): Compiled | undefined =>
    raw === undefined || raw === null || raw === ''
      ? undefined
      : compile(file, [...path, ...at], raw, { prose: true });
  const varsOf = (raw: Record<string, Raw> | undefined, at: Path, words: readonly string[] = []) =>
    new Map(
      Object.entries(raw ?? {}).map(([key, value]) => [
        key.toLowerCase(),
        compile(file, [...path, ...at, 'vars', key], value ?? '', { words }),
      ]),
    );
  const statementOf = (sql: string, at: Path, known: readonly string[], vars: ReadonlyMap<string, unknown>) =>
    parseStatement(file, [...path, ...at], sql, (token) => known.includes(token) || vars.has(token));

  const queryOf = (
    raw: { query: string; vars?: Record<string, Raw>; pagination?: Pagination },
    at: Path,
    hasResource: boolean,
  ): Query => {
    const vars = varsOf(raw.vars, at);
    const known = [...PAGE_TOKENS, ...(hasResource ? RESOURCE_TOKENS : [])];
    const statement = statementOf(raw.query, [...at, 'query'], known, vars);
    const whole = statementOf(withoutCursor(raw.query), [...at, 'query'], known, vars);
    const { pagination } = raw;
    const used = PAGE_TOKENS.filter((token) => statement.tokens.has(token));
    const mistake = pageMistake(pagination, statement, isSqlite);
    if (mistake) throw file.failure([...path, ...at, pagination ? 'pagination' : 'query'], mistake);
    const isPerResource =
      hasResource && (vars.size > 0 || RESOURCE_TOKENS.some((token) => statement.tokens.has(token)));
    return { statement, whole, vars, pagination: used.length > 0 ? pagination : undefined, isPerResource };
  };

  const changeOf = (
    raw:
      | (Pick<Action, 'queries' | 'no_transaction' | 'many_rows'> & {
          reject_if?: { query: string; reason?: Raw };
        })
      | undefined,
    at: Path,
    vars: ReadonlyMap<string, Compiled>,
    known: readonly string[],
  ): Change | undefined =>
    raw && {
      path: [...path, ...at],
      vars,
      statements: raw.queries.map((sql, n) => statementOf(sql, [...at, 'queries', n], known, vars)),
      reject: raw.reject_if && {
        statement: statementOf(raw.reject_if.query, [...at, 'reject_if', 'query'], known, vars),
        reason: one(raw.reject_if.reason, ...at, 'reject_if', 'reason'),
      },
      isTransaction: !raw.no_transaction,
      mayChangeManyRows: raw.many_rows ?? false,
    };
  const actionOf = (raw: Action | undefined, at: Path): Change | undefined =>
    raw &&
    changeOf(raw, at, varsOf(raw.vars, at, ['password', 'resource_id']), ['id', 'resource_id', 'password']);

  type RawEntitlement = NonNullable<TypeDefinition['static_entitlements']>[number];
  const entitlementOf = (raw: RawEntitlement, at: Path, isStatic: boolean): Entitlement => {
    const { id, provisioning, immutable } = raw;
    if (id === undefined || id === null || id === '')
      throw file.failure([...path, ...at], 'the entitlement has no id');
    const provisioned = [...at, 'provisioning'];
    for (const way of ['grant', 'revoke'] as const) {
      const unsupported = (['validation_queries', 'grant_replace'] as const).find(
        (key) => provisioning?.[way]?.[key] !== undefined,
      );
      if (unsupported)
        throw file.failure([...path, ...provisioned, way, unsupported], `${unsupported} is not supported`);
    }
    const vars = varsOf(provisioning?.vars, provisioned);
    const known = [...RESOURCE_TOKENS.slice(0, 2), ...PRINCIPAL_TOKENS];
    const change = (way: 'grant' | 'revoke') =>
      immutable ? undefined : changeOf(provisioning?.[way], [...provisioned, way], vars, known);
    return {
      id: isStatic
        ? { text: String(id), path: [...path, ...at, 'id'], columns: new Set(), value: () => id }
        : compile(file, [...path, ...at, 'id'], id),
      name: name(raw.display_name, ...at, 'display_name'),
      description: name(raw.description, ...at, 'description'),
      skipIf: isStatic ? undefined : one(raw.skip_if as Raw, ...at, 'skip_if'),
      grant: change('grant'),
      revoke: change('revoke'),
    };
  };

  const listAt: Path = ['list'];
  const mapAt: Path = ['list', 'map'];
  const trait: Path = [...mapAt, 'traits', 'user'];
  const profile = Object.entries(user?.profile ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const compiled = new Map(
    profile.map(([key, raw]) => [key.toLowerCase(), one(raw, ...trait, 'profile', key)]),
  );
  const ofProfile = (names: string[]) =>
    names.map((each) => compiled.get(each)).find((each) => each !== undefined);
  const id = one(map.id, ...mapAt, 'id');
  if (id === undefined) throw file.failure([...path, ...mapAt], 'the map has no id');
  const usesEntitlements = kind !== 'account' && !type.skip_entitlements_and_grants;
  const { account_provisioning: creating, credential_rotation: rotating } = type;
  const fields = (creating?.schema ?? []).map(
    (field, n): Field => ({
      name: field.name,
      isRequired: field.required ?? false,
      value: one(field.value, 'account_provisioning', 'schema', n, 'value'),
    }),
  );
  const words = [...fields.map((field) => field.name), 'password'];
  const inputs = [...words, ...fields.map((field) => `input.${field.name}`)].map((word) =>
    word.toLowerCase(),
  );
  const resetAt: Path = extension.reset_password
    ? ['gatehouse', 'reset_password']
    : ['credential_rotation', 'update'];
  const reset = actionOf(extension.reset_password ?? rotating?.update, resetAt);

  return {
    slug,
    name: type.name,
    kind,
    path,
    list: queryOf(type.list, listAt, false),
    map: {
      id,
      name: one(map.display_name, ...mapAt, 'display_name'),
      description: one(map.description, ...mapAt, 'description'),
      email: one(user?.emails?.[0], ...trait, 'emails', 0),
      status: one(user?.status, ...trait, 'status'),
      login: one(user?.login, ...trait, 'login'),
      firstName: one(extension.first_name, 'gatehouse', 'first_name') ?? ofProfile(FIRST_NAMES),
      lastName: one(extension.last_name, 'gatehouse', 'last_name') ?? ofProfile(LAST_NAMES),
      maxCount: one(extension.max_count, 'gatehouse', 'max_count'),
      usedCount: one(extension.used_count, 'gatehouse', 'used_count'),
    },
    lastLogin: one(user?.last_login, ...trait, 'last_login'),
    mfaEnabled: one(user?.mfa_enabled, ...trait, 'mfa_enabled'),
    attributes: profile.flatMap(([name]) => {
      const value = compiled.get(name.toLowerCase());
      return value === undefined || NAMES_OF_PEOPLE.includes(name.toLowerCase()) ? [] : [[name, value]];
    }),
    statics: usesEntitlements
      ? type.static_entitlements?.map((each, n) => entitlementOf(each, ['static_entitlements', n], true))
      : undefined,
    dynamic:
      usesEntitlements && type.entitlements && !type.static_entitlements
        ? {
            query: queryOf(type.entitlements, ['entitlements'], true),
            map: type.entitlements.map.map((each, n) =>
              entitlementOf(each, ['entitlements', 'map', n], false),
            ),
          }
        : undefined,
    grants: usesEntitlements
      ? (type.grants ?? []).map((each, n) => ({
          query: queryOf(each, ['grants', n], true),
          map: each.map.map((raw, m) => grantOf(raw, ['grants', n, 'map', m])),
        }))
      : [],
    create: creating && {
      fields,
      credentials: creating.credentials,
      validate: validation(creating.validate),
      change: changeOf(
        creating.create,
        ['account_provisioning', 'create'],
        varsOf(creating.create.vars, ['account_provisioning', 'create'], words),
        inputs,
      ) as Change,
      needsPassword: /\bpassword\b/.test(JSON.stringify([creating.create.vars, creating.create.queries])),
    },
    exists:
      extension.exists === undefined
        ? undefined
        : statementOf(extension.exists, ['gatehouse', 'exists'], ['id'], new Map()),
    suspend: actionOf(extension.suspend, ['gatehouse', 'suspend']),
    unsuspend: actionOf(extension.unsuspend, ['gatehouse', 'unsuspend']),
    delete: actionOf(extension.delete, ['gatehouse', 'delete']),
    resetPassword: reset && { change: reset, credentials: rotating?.credentials },
  };

  function validation(raw: { vars?: Record<string, Raw>; query: string }) {
    const at: Path = ['account_provisioning', 'validate'];
    const vars = varsOf(raw.vars, at, words);
    return { vars, statement: statementOf(raw.query, [...at, 'query'], inputs, vars) };
  }

  function grantOf(
    raw: NonNullable<TypeDefinition['grants']>[number]['map'][number],
    at: Path,
  ): GrantMapping {
    const principalId = one(raw.principal_id, ...at, 'principal_id');
    const entitlementId = one(raw.entitlement_id, ...at, 'entitlement_id');
    if (!principalId) throw file.failure([...path, ...at], 'the grant has no principal_id');
    if (!entitlementId) throw file.failure([...path, ...at], 'the grant has no entitlement_id');
    const skipIf = one(raw.skip_if, ...at, 'skip_if');
    const [, resourceColumn, others] = OF_ANOTHER.exec(skipIf?.text ?? '') ?? [];
    const { expandable } = raw;
    return {
      path: [...path, ...at],
      skipIf: resourceColumn === undefined ? skipIf : one(others, ...at, 'skip_if'),
      resourceColumn,
      principalId,
      principalType: raw.principal_type,
      entitlementId,
      expandable: expandable && {
        skipIf: one(expandable.skip_if, ...at, 'expandable', 'skip_if'),
        ids: (expandable.entitlement_ids ?? []).map((each, n) =>
          compile(file, [...path, ...at, 'expandable', 'entitlement_ids', n], each ?? ''),
        ),
        isShallow: expandable.shallow ?? false,
      },
    };
  }
}

/** Returns the mistake of a pagination that would read the first page again and again, or none at all. */
function pageMistake(pagination: Pagination, { tokens }: Statement, isSqlite: boolean): string | undefined {
  if (!PAGE_TOKENS.some((token) => tokens.has(token))) return undefined;
  if (!pagination) return 'the query has tokens of pages, but no pagination';
  const { strategy, primary_key: key, start } = pagination;
  if (tokens.has('limit') && !tokens.has(strategy))
    return `the query has ?<Limit> but not ?<${strategy === 'offset' ? 'Offset' : 'Cursor'}>, so each page would be the first`;
  if (strategy === 'offset') return undefined;
  if (!key) return 'a cursor needs primary_key: the column whose last value is the cursor';
  if (isSqlite && (start ?? '') === '')
    return 'with SQLite, a cursor needs "start", because no number is greater than an empty text';
  return undefined;
}

/** Returns the plan of an account type. */
export function accountPlan({ types }: Plan, slug: string): TypePlan {
  const plan = types.find((type) => type.slug === slug && type.kind === 'account');
  if (!plan) throw new Failure(`the definition has no account type "${slug}"`, Exit.usage);
  return plan;
}
