import { randomUUID } from 'node:crypto';
import type { Column, Condition, Table } from '#kit/database/references.ts';
import type { OrgDb } from '#kit/database.ts';
import { isUuid } from '#kit/ids.ts';
import { sql } from '#kit/sql.ts';

/*
 * Rows that name a person, an account or an app in their declared columns (src/references.ts), for tests of what happens to them. All
 * other columns have values that the schema accepts, and name nothing that exists.
 */

type Values = Record<string, unknown>;

/** Values that the schema demands, where any value of the type is not enough. */
const SAMPLES: Record<string, () => Values> = {
  given_means: () => ({ kind: 'role', receiver_id: randomUUID() }),
  absence: () => ({ ends_at: '2099-01-01T00:00:00Z', deputy_id: randomUUID() }),
  access_grant: () => ({ kind: 'manual' }),
  account: () => ({ status: 'ACTIVE' }),
  account_owner: () => ({ kind: 'service' }),
  api_key: () => ({ revoked_at: '2020-01-01T00:00:00Z' }),
  connector_run: () => ({ kind: 'sync', state: 'succeeded', ended_at: '2020-01-01T00:00:00Z' }),
  duplicate_dismissal: () => ({
    lower_id: randomUUID().replace(/^../, '00'),
    higher_id: randomUUID().replace(/^../, 'ff'),
  }),
  fulfiller: () => ({ kind: 'person' }),
  fulfillment_attachment: () => ({ size: 1 }),
  fulfillment_setting: () => ({ assignment: 'owner', remind_before_working_days: 1 }),
  finding: () => ({ severity: 'low' }),
  hold_change: () => ({ type: 'left' }),
  hold_window: () => ({ kind: 'people' }),
  inventory_change: () => ({ kind: 'sync' }),
  notification: () => ({ user_id: randomUUID() }),
  notification_channel: () => ({ type: 'slack' }),
  notification_delivery: () => ({ medium: 'email', state: 'sent' }),
  notification_message: () => ({ medium: 'email' }),
  notification_preference: () => ({ time_zone: randomUUID() }),
  person_source: () => ({ deleted_at: '2020-01-01T00:00:00Z' }),
  platform_user: () => ({ status: 'deactivated' }),
  policy: () => ({ trigger: 'daily', enabled: false }),
  policy_day: () => ({ day: '2020-01-01' }),
  review_cycle: () => ({ begun_at: '2020-01-01T00:00:00Z', settings: '[]' }),
  review_item: () => ({ kind: 'account' }),
  revoked_entry: () => ({ kind: 'policy', revoked_kind: 'manual' }),
  sign_in_provider: () => ({ saml_config: '{}' }),
  suspension: () => ({ kind: 'manual' }),
  sync_session: () => ({ status: 'completed' }),
  task: () => ({ action: 'delete_account', task_type: 'USER_ACTION', status: 'completed' }),
  ticket: () => ({ type: 'NEW_ACCESS', reserved_account_id: randomUUID() }),
  ticket_approval: () => ({ decision: 'approved' }),
  ticket_comment: () => ({ kind: 'comment' }),
  upload: () => ({ status: 'applied' }),
};

/** The values that make a row history, for tables with open rows. */
const CLOSED: Record<string, Values> = {
  review_campaign: { deleted_at: '2020-01-01T00:00:00Z' },
  review_cycle: { status: 'completed' },
  review_item: { decision: 'keep', decided_at: '2020-01-01T00:00:00Z' },
  task: { status: 'completed' },
  ticket: { status: 'APPROVED' },
};

export interface NamingRow {
  table: string;
  isOpen: boolean;
  /** The columns that name the thing. */
  columns: string[];
  /** Returns the row as it is, or undefined if it is gone. */
  find(): Promise<Values | undefined>;
  remove(): Promise<void>;
}

/**
 * Inserts a row that names `who` in these columns of a table. Of a table with open rows, it inserts one of them and one that is history.
 */
export async function insertNaming(
  db: OrgDb,
  [name, table]: [string, Table],
  columns: readonly string[],
  who: string,
): Promise<NamingRow[]> {
  const states = table.open === undefined ? [{}] : [valuesFor(table.open[0] as Condition), CLOSED[name]];
  const rows: NamingRow[] = [];
  for (const [i, state] of states.entries()) {
    const named = Object.fromEntries(
      columns.map((column) => [column, naming((table.columns[column] as Column).holds, who)]),
    );
    const conditions = columns.map((column) => valuesFor(table.columns[column]?.where ?? {}));
    const values = { ...SAMPLES[name]?.(), ...Object.assign({}, ...conditions), ...state, ...named };
    const identity = await insert(db, name, values, columns);
    const same = sql.join(
      [sql`true`, ...Object.entries(identity).map(([key, value]) => sql`${sql.ref(key)} = ${value}`)],
      sql` and `,
    );
    rows.push({
      table: name,
      isOpen: i === 0,
      columns: [...columns],
      find: async () =>
        (
          await sql<Values>`select to_jsonb(t) as row from ${sql.table(name)} t where org_id = ${db.orgId} and ${same}`.execute(
            db,
          )
        ).rows[0]?.row as Values | undefined,
      remove: async () =>
        void (await sql`delete from ${sql.table(name)} where org_id = ${db.orgId} and ${same}`.execute(db)),
    });
  }
  return rows;
}

const naming = (holds: Column['holds'], who: string) => {
  if (holds === 'id') return who;
  return holds === 'ids' ? [who] : JSON.stringify([{ approvers: [who], require: 'any' }]);
};

const valuesFor = (condition: Condition): Values =>
  Object.fromEntries(
    Object.entries(condition).map(([column, values]) => [
      column,
      typeof values === 'string' ? null : values[0],
    ]),
  );

interface ColumnOfTable {
  name: string;
  type: string;
  must: boolean;
}

/** Inserts a row without checking its foreign keys. Returns the values by which it is found again. */
async function insert(db: OrgDb, table: string, given: Values, named: readonly string[]): Promise<Values> {
  const { rows: columns } = await sql<ColumnOfTable>`
    select column_name as name, udt_name as type, is_nullable = 'NO' and column_default is null or column_name = 'id' as must
    from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(db);
  const made = Object.fromEntries(
    columns
      .filter(({ name, must }) => must && !(name in given) && name !== 'org_id')
      .map(({ name, type }) => [name, sample(type)]),
  );
  const values: Values = { org_id: db.orgId, ...made, ...given };
  await db.db.transaction().execute(async (tx) => {
    // The workers of a cluster check foreign keys, too.
    await sql`set local citus.propagate_set_commands = 'local'`.execute(tx);
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into ${sql.table(table)} (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(values))})`.execute(tx);
  });
  const isIdentity = ([name, value]: [string, unknown]) =>
    !named.includes(name) && name !== 'org_id' && typeof value === 'string' && isUuid(value);
  return Object.fromEntries(Object.entries(values).filter(isIdentity));
}

let samples = 0;

/** Returns a value that no other row has, as far as the type of the column has so many. */
function sample(type: string): unknown {
  samples += 1;
  if (type === 'uuid' || type === 'text') return randomUUID();
  if (type.startsWith('_')) return '{}';
  if (type === 'timestamptz') return new Date(Date.UTC(2020, 0) + samples).toISOString();
  const values: Record<string, unknown> = { bool: false, bytea: Buffer.from(`${samples}`), jsonb: '{}' };
  return values[type] ?? samples;
}
