import type { Db, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/** The times of tables that tests move. Those of a table are in the order in which they come about. */
interface Times {
  absence: 'starts_at' | 'ends_at';
  access_grant: 'starts_at' | 'ends_at' | 'ended_at' | 'gone_since' | 'recorded_at' | 'end_recorded_at';
  access_loss: 'at';
  account: 'created_at' | 'since' | 'linked_at' | 'tasked_at';
  api_key: 'created_at' | 'expires_at' | 'revoked_at';
  api_key_use: 'recorded_at';
  connector: 'scheduled_since' | 'next_sync_at';
  connector_run: 'leased_until';
  event_head: 'retained_from' | 'last_ingested_at';
  former_administrator: 'until';
  fulfillment_assignment: 'due_at' | 'escalated_at';
  fulfillment_attachment: 'uploaded_at';
  given_means: 'given_at';
  hold_window: 'base_at' | 'started_at';
  hold_change: 'at';
  inventory_change: 'started_at' | 'at' | 'completed_at';
  notification_cursor: 'scanned_at';
  notification_delivery: 'due_at';
  notification_message: 'created_at';
  person_group_member: 'joined_at';
  person_source: 'managed_since';
  platform_user: 'created_at' | 'updated_at';
  policy: 'ran_at';
  policy_preview: 'created_at';
  policy_undo: 'at';
  review_cycle: 'opens_at' | 'opened_at' | 'due_at';
  saved_query: 'next_run_at';
  scim_recorded: 'recorded_at';
  scim_refused: 'hour';
  sign_in_attempt: 'blocked_until';
  sign_in_session: 'signed_in_at' | 'authenticated_at' | 'updated_at' | 'expires_at';
  suspension: 'since' | 'ended_at' | 'recorded_at' | 'end_recorded_at';
  sync_page: 'received_at';
  sync_resource_change: 'at';
  sync_session: 'started_at' | 'finished_at';
  task: 'created_at' | 'execute_after' | 'awaits_return_until';
  ticket: 'created_at' | 'end_time';
  upload: 'created_at';
  webhook:
    | 'first_failed_at'
    | 'next_attempt_at'
    | 'previous_valid_until'
    | 'claimed_until'
    | 'failure_told_at';
  webhook_delivery: 'at';
}

type Unit = 'day' | 'hour' | 'minute' | 'second';
/** `3 days ago` and `1 hour ahead` are by the clock of the database; `3 days earlier` and `later` are from the time that the row has. */
type Time = 'now' | `${number} ${Unit | `${Unit}s`} ${'ago' | 'ahead' | 'earlier' | 'later'}`;

const SECONDS: Record<string, number> = { day: 86_400, hour: 3600, minute: 60, second: 1 };

function timeOf(time: Time, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (time === 'now') return sql`clock_now()`;
  const [count, unit = '', direction = ''] = time.split(' ');
  const seconds = Number(count) * (SECONDS[unit.replace(/s$/, '')] ?? Number.NaN);
  const from = direction === 'ago' || direction === 'ahead' ? sql`clock_now()` : column;
  return sql`seconds_after(${from}, ${direction === 'ago' || direction === 'earlier' ? -seconds : seconds})`;
}

/**
 * Sets times of the rows of an organization that have these values, as if more time had passed:
 * `setTimes(service, 'ticket', { created_at: '9 days ago' }, { id })`. Sets all times of an ordered row together, or those that come first.
 */
export async function setTimes<Table extends keyof Times>(
  on: Db | OrgDb | { database: { db: Db }; orgId?: string },
  table: Table,
  times: { [column in Times[Table]]?: Time },
  rows: Record<string, string | readonly string[] | undefined> = {},
): Promise<void> {
  const assignments = Object.entries<Time | undefined>(times).map(([name, time = 'now']) => {
    const column = sql.ref(name);
    return sql`${column} = ${timeOf(time, column)}`;
  });
  const ofOrganization = 'orgId' in on ? { org_id: on.orgId } : {};
  const conditions = Object.entries({ ...ofOrganization, ...rows }).map(([column, value]) =>
    typeof value === 'object'
      ? sql`${sql.ref(column)} in (${sql.join(value)})`
      : sql`${sql.ref(column)} = ${value}`,
  );
  await sql`
    update ${sql.table(table)} set ${sql.join(assignments)}
    where ${sql.join([sql`true`, ...conditions], sql` and `)}`.execute(
    'database' in on ? on.database.db : on,
  );
}
