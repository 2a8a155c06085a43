import type { BetterAuthOptions } from 'better-auth';
import { type CleanedWhere, createAdapterFactory, type DBAdapter } from 'better-auth/adapters';
import { committing, type Db } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { affected, many, type RawBuilder, run, sql } from '#kit/sql.ts';
import { unsealConfig } from '../../protocols/provider-secret.ts';
import type { Organization } from '../../visit/organization.ts';
import { tokenHash } from '../session-token.ts';

/** The tables of the models of better-auth and its plugins. */
const TABLES: Record<string, string> = {
  session: 'sign_in_session',
  account: 'sign_in_account',
  verification: 'sign_in_verification',
  twoFactor: 'sign_in_two_factor',
  passkey: 'sign_in_passkey',
  ssoProvider: 'sign_in_provider',
};

type Row = Record<string, unknown>;

/**
 * Stores better-auth's models in the tables of one organization. Every statement names `orgId`, so that better-auth
 * cannot reach another organization's rows. A session's secret is stored as its hash; better-auth gets back the secret
 * that it asked for.
 */
export function organizationAdapter(db: Db, organization: Organization) {
  const orgId = organization.id;
  return (options: BetterAuthOptions): DBAdapter =>
    createAdapterFactory({
      config: {
        adapterId: 'gatehouse',
        supportsBooleans: true,
        supportsDates: true,
        supportsJSON: false,
        // Inside our own transaction, better-auth opens none.
        transaction: db.isTransaction
          ? false
          : (work) => committing(db, (tx) => work(organizationAdapter(tx, organization)(options))),
      },
      adapter: () => ({
        create: async ({ model, data }) => {
          const row = rowOf(model, data);
          const columns = Object.keys(row);
          const rows = await many<Row>(db)`
          insert into ${tableOf(model)} (org_id, ${list(columns.map((name) => sql.ref(name)))})
          values (${orgId}, ${list(columns.map((name) => sql`${row[name]}`))}) returning *`;
          return { ...(await recordOf(model, rows[0] as Row)), ...secretIn(model, data) } as typeof data;
        },
        findOne,
        findMany: async <T>(query: {
          model: string;
          where?: CleanedWhere[] | undefined;
          limit: number;
          offset?: number | undefined;
          sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
        }) => {
          const { model, where = [], limit, offset = 0, sortBy } = query;
          const order =
            sortBy === undefined
              ? sql`id`
              : sql`${sql.ref(columnOf(sortBy.field))} ${sql.raw(sortBy.direction === 'desc' ? 'desc' : 'asc')}, id`;
          const rows = await many<Row>(db)`
          select * from ${sourceOf(model)} where ${matching(model, where)}
          order by ${order} limit ${limit} offset ${offset}`;
          return (await Promise.all(rows.map((row) => recordOf(model, row)))) as T[];
        },
        // Required, but only plugins that are not used here call it.
        count: () => Promise.reject(new Error('better-auth counts nothing here.')),
        update: async <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) => {
          if (model === 'user') return userWith(where, update);
          const { rows } = await updateRows(db, model, firstOf(model, where), update as Row);
          return firstRecord<T>(model, rows, where);
        },
        updateMany: async ({ model, where, update }) =>
          (await updateRows(db, model, matching(model, where), update)).rows.length,
        delete: async ({ model, where }) => {
          await run(db)`delete from ${tableOf(model)} where ${matching(model, where)}`;
        },
        deleteMany: ({ model, where }) =>
          affected(db)`delete from ${tableOf(model)} where ${matching(model, where)}`,
        consumeOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
          const rows = await many<Row>(db)`
          delete from ${tableOf(model)} where ${firstOf(model, where)} returning *`;
          return firstRecord<T>(model, rows, where);
        },
        incrementOne: async <T>(change: {
          model: string;
          where: CleanedWhere[];
          increment: Record<string, number>;
          set?: Row | undefined;
        }) => {
          const { model, where, increment, set = {} } = change;
          const { rows } = await updateRows(db, model, firstOf(model, where), set, increment);
          return firstRecord<T>(model, rows, where);
        },
      }),
    })(options);

  async function findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }): Promise<T | null> {
    const rows = await many<Row>(db)`
      select * from ${sourceOf(model)} where ${matching(model, where)} limit 1`;
    return firstRecord<T>(model, rows, where);
  }

  /** better-auth only ever changes a user's twoFactorEnabled, which the view derives from sign_in_two_factor. */
  async function userWith<T>(where: CleanedWhere[], update: T): Promise<T | null> {
    const user = await findOne<T>({ model: 'user', where });
    return user === null ? null : { ...user, ...update };
  }

  async function firstRecord<T>(
    model: string,
    rows: Row[],
    where: readonly CleanedWhere[],
  ): Promise<T | null> {
    if (rows[0] === undefined) return null;
    return { ...(await recordOf(model, rows[0])), ...secretInWhere(model, where) } as T;
  }

  /** The row as better-auth's record. */
  async function recordOf(model: string, row: Row): Promise<Row> {
    const fields = fieldsOf(row);
    // Otherwise a passkey whose count does not grow, such as a restored one, would be refused (ADR 26).
    if (model === 'passkey') return { ...fields, counter: 0 };
    const isSealed = model === 'ssoProvider' && typeof fields.oidcConfig === 'string';
    return isSealed
      ? {
          ...fields,
          oidcConfig: await unsealConfig(fields.oidcConfig as string, organization.sign_in_secret),
        }
      : fields;
  }

  function matching(model: string, where: readonly CleanedWhere[]): RawBuilder<unknown> {
    const either = where.filter(({ connector }) => connector === 'OR').map((one) => condition(model, one));
    const all = where.filter(({ connector }) => connector !== 'OR').map((one) => condition(model, one));
    if (either.length > 0) all.push(sql`(${sql.join(either, sql` or `)})`);
    return sql.join([sql`org_id = ${orgId}`, ...all], sql` and `);
  }

  /** Matches one row and locks it, so that only one of several concurrent callers finds it. */
  function firstOf(model: string, where: readonly CleanedWhere[]) {
    return sql`org_id = ${orgId} and id = (
      select id from ${tableOf(model)} where ${matching(model, where)} order by id limit 1 for update)`;
  }
}

const updateRows = (db: Db, model: string, where: RawBuilder<unknown>, set: Row, add: Row = {}) => {
  const assignments = [
    ...Object.entries(rowOf(model, set)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...Object.entries(add).map(([field, delta]) => {
      const column = sql.ref(columnOf(field));
      return sql`${column} = coalesce(${column}, 0) + ${delta}`;
    }),
  ];
  return sql<Row>`update ${tableOf(model)} set ${list(assignments)} where ${where} returning *`.execute(db);
};

function condition(model: string, { field, operator, value, mode }: CleanedWhere): RawBuilder<unknown> {
  const ignoresCase = typeof value === 'string' && mode === 'insensitive';
  const column = ignoresCase ? sql`lower(${sql.ref(columnOf(field))})` : sql`${sql.ref(columnOf(field))}`;
  const stored = storedValue(model, field, value);
  // better-auth folds the emails that people enter in its own way. The view has them as emailKey.
  if (model === 'user' && field === 'email' && operator === 'eq')
    return sql`email = ${emailKey(sql`${stored}`)}`;
  const given = ignoresCase ? sql`lower(${stored})` : sql`${stored}`;
  switch (operator) {
    case 'ne':
      return value === null ? sql`${column} is not null` : sql`${column} <> ${given}`;
    case 'lt':
      return sql`${column} < ${given}`;
    case 'lte':
      return sql`${column} <= ${given}`;
    case 'gt':
      return sql`${column} > ${given}`;
    case 'gte':
      return sql`${column} >= ${given}`;
    case 'in':
      return sql`${column}::text = any(${value}::text[])`;
    case 'not_in':
      return sql`${column}::text <> all(${value}::text[])`;
    case 'contains':
      return sql`strpos(${column}, ${given}) > 0`;
    case 'starts_with':
      return sql`starts_with(${column}, ${given})`;
    case 'ends_with':
      return sql`right(${column}, length(${given})) = ${given}`;
    default:
      return value === null ? sql`${column} is null` : sql`${column} = ${given}`;
  }
}

const list = (parts: RawBuilder<unknown>[]) => sql.join(parts);

function tableOf(model: string) {
  const table = TABLES[model];
  if (table === undefined) throw new Error(`better-auth uses the model ${model}, which has no table.`);
  return sql.table(table);
}

/** The table or view to read a model from. Users are read from a view, because only `people/` writes them. */
function sourceOf(model: string): RawBuilder<unknown> {
  if (model !== 'user') return tableOf(model);
  return sql`(
    select v.*, u.role from sign_in_user v join platform_user u on u.org_id = v.org_id and u.id = v.id) as person`;
}

const columnOf = (field: string) =>
  field.replace(/ID$/, '_id').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const FIELD_OF_COLUMN: Record<string, string> = { credential_id: 'credentialID' };
const fieldOf = (column: string) =>
  FIELD_OF_COLUMN[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const isSecret = (model: string, field: string) => model === 'session' && field === 'token';
const storedValue = (model: string, field: string, value: unknown) =>
  isSecret(model, field) && typeof value === 'string' ? tokenHash(value) : value;

const rowOf = (model: string, data: Row): Row =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [columnOf(field), storedValue(model, field, value)]),
  );

const fieldsOf = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [fieldOf(column), value]));

/** The session secret that better-auth passed in, which the database does not have. */
const secretIn = (model: string, data: Row): Row =>
  model === 'session' && typeof data.token === 'string' ? { token: data.token } : {};
const secretInWhere = (model: string, where: readonly CleanedWhere[]): Row =>
  secretIn(model, Object.fromEntries(where.map(({ field, value }) => [field, value])));
