import { createHash } from 'node:crypto';
import type { BetterAuthOptions } from 'better-auth';
import { type CleanedWhere, createAdapterFactory, type DBAdapter } from 'better-auth/adapters';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
import { unsealed } from './provider-secret.ts';
import type { Organization } from './queries.ts';

/** The models of better-auth and of its plugins, and where they are. */
const TABLES: Record<string, string> = {
  user: 'sign_in_user',
  session: 'sign_in_session',
  account: 'sign_in_account',
  verification: 'sign_in_verification',
  twoFactor: 'sign_in_two_factor',
  passkey: 'sign_in_passkey',
  ssoProvider: 'sign_in_provider',
};

type Row = Record<string, unknown>;

/** What the database keeps of a session's secret. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * better-auth's models in the tables of one organization: every statement is about `orgId` alone, so that nothing
 * which better-auth does can reach another's. A session's secret is kept as its hash, and answered as it was asked.
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
        // Within a transaction it opens none of its own.
        transaction: db.isTransaction
          ? false
          : (work) => db.transaction().execute((tx) => work(organizationAdapter(tx, organization)(options))),
      },
      adapter: () => ({
        create: async ({ model, data }) => {
          const row = rowOf(model, data);
          const columns = Object.keys(row);
          const { rows } = await sql<Row>`
          insert into ${tableOf(model)} (org_id, ${list(columns.map((name) => sql.ref(name)))})
          values (${orgId}, ${list(columns.map((name) => sql`${row[name]}`))}) returning *`.execute(db);
          return { ...(await answered(model, rows[0] as Row)), ...secretOf(model, data) } as typeof data;
        },
        findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
          const { rows } = await sql<Row>`
          select * from ${tableOf(model)} where ${matching(model, where)} limit 1`.execute(db);
          return one<T>(model, rows, where);
        },
        findMany: async <T>(asked: {
          model: string;
          where?: CleanedWhere[] | undefined;
          limit: number;
          offset?: number | undefined;
          sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
        }) => {
          const { model, where = [], limit, offset = 0, sortBy } = asked;
          const order =
            sortBy === undefined
              ? sql`id`
              : sql`${sql.ref(columnOf(sortBy.field))} ${sql.raw(sortBy.direction === 'desc' ? 'desc' : 'asc')}, id`;
          const { rows } = await sql<Row>`
          select * from ${tableOf(model)} where ${matching(model, where)}
          order by ${order} limit ${limit} offset ${offset}`.execute(db);
          return (await Promise.all(rows.map((row) => answered(model, row)))) as T[];
        },
        count: async ({ model, where = [] }) => {
          const { rows } = await sql<{ n: number }>`
          select count(*) as n from ${tableOf(model)} where ${matching(model, where)}`.execute(db);
          return rows[0]?.n ?? 0;
        },
        update: async <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) => {
          const { rows } = await change(db, model, firstOf(model, where), update as Row);
          return one<T>(model, rows, where);
        },
        updateMany: async ({ model, where, update }) =>
          (await change(db, model, matching(model, where), update)).rows.length,
        delete: async ({ model, where }) => {
          await sql`delete from ${tableOf(model)} where ${matching(model, where)}`.execute(db);
        },
        deleteMany: async ({ model, where }) => {
          const { numAffectedRows } =
            await sql`delete from ${tableOf(model)} where ${matching(model, where)}`.execute(db);
          return Number(numAffectedRows ?? 0);
        },
        consumeOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
          const { rows } = await sql<Row>`
          delete from ${tableOf(model)} where ${firstOf(model, where)} returning *`.execute(db);
          return one<T>(model, rows, where);
        },
        incrementOne: async <T>(asked: {
          model: string;
          where: CleanedWhere[];
          increment: Record<string, number>;
          set?: Row | undefined;
        }) => {
          const { model, where, increment, set = {} } = asked;
          const { rows } = await change(db, model, firstOf(model, where), set, increment);
          return one<T>(model, rows, where);
        },
      }),
    })(options);

  async function one<T>(model: string, rows: Row[], where: readonly CleanedWhere[]): Promise<T | null> {
    if (rows[0] === undefined) return null;
    return { ...(await answered(model, rows[0])), ...askedFor(model, where) } as T;
  }

  async function answered(model: string, row: Row): Promise<Row> {
    const fields = fieldsOf(row);
    const isSealed = model === 'ssoProvider' && typeof fields.oidcConfig === 'string';
    return isSealed
      ? { ...fields, oidcConfig: await unsealed(fields.oidcConfig as string, organization.sign_in_secret) }
      : fields;
  }

  function matching(model: string, where: readonly CleanedWhere[]): RawBuilder<unknown> {
    const either = where.filter(({ connector }) => connector === 'OR').map((one) => condition(model, one));
    const all = where.filter(({ connector }) => connector !== 'OR').map((one) => condition(model, one));
    if (either.length > 0) all.push(sql`(${sql.join(either, sql` or `)})`);
    return sql.join([sql`org_id = ${orgId}`, ...all], sql` and `);
  }

  /** One row, held, so that of several callers one finds it. */
  function firstOf(model: string, where: readonly CleanedWhere[]) {
    const rows = sql`select id from ${tableOf(model)} where ${matching(model, where)} order by id limit 1`;
    const held = model === 'user' ? rows : sql`${rows} for update`;
    return sql`org_id = ${orgId} and id = (${held})`;
  }
}

const change = (db: Db, model: string, where: RawBuilder<unknown>, set: Row, add: Row = {}) => {
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
  const isText = typeof value === 'string' && mode === 'insensitive';
  const column = isText ? sql`lower(${sql.ref(columnOf(field))})` : sql`${sql.ref(columnOf(field))}`;
  const kept = stored(model, field, value);
  const given = isText ? sql`lower(${kept})` : sql`${kept}`;
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
  if (table === undefined) throw new Error(`better-auth asks for the model ${model}, which has no table.`);
  return sql.table(table);
}

const columnOf = (field: string) =>
  field.replace(/ID$/, '_id').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const FIELD_OF_COLUMN: Record<string, string> = { credential_id: 'credentialID' };
const fieldOf = (column: string) =>
  FIELD_OF_COLUMN[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const isSecret = (model: string, field: string) => model === 'session' && field === 'token';
const stored = (model: string, field: string, value: unknown) =>
  isSecret(model, field) && typeof value === 'string' ? tokenHash(value) : value;

const rowOf = (model: string, data: Row): Row =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [columnOf(field), stored(model, field, value)]),
  );

const fieldsOf = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [fieldOf(column), value]));

/** The secret as the caller gave it, which is the only place where it is. */
const secretOf = (model: string, data: Row): Row =>
  model === 'session' && typeof data.token === 'string' ? { token: data.token } : {};
const askedFor = (model: string, where: readonly CleanedWhere[]): Row =>
  secretOf(model, Object.fromEntries(where.map(({ field, value }) => [field, value])));
