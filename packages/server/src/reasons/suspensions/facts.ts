import type { OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import type { Ended, SuspensionKind } from './suspension.ts';

/**
 * Every suspension of an account (D73). Columns: org_id, id, app_id, account_id, kind, source_id, label, decided_by, reason, leaving, since,
 * ended_at (null: it has not ended), ended_kind, ended_source, ended_label, recorded_at, end_recorded_at.
 */
export const suspensions = sql`(
  select org_id, id, app_id, account_id, kind, source_id, label, decided_by, reason, leaving, since, ended_at, ended_kind, ended_source,
    ended_label, recorded_at, end_recorded_at
  from suspension)`;

const NOW = sql<Date>`clock_now()`;
const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/** Whether the suspension with this alias has not ended. It may begin later. */
export const isOpen = (suspension: string, at: RawBuilder<Date> = NOW): RawBuilder<boolean> =>
  sql`(coalesce(${column(suspension, 'ended_at')}, 'infinity') > ${at})`;

/** Whether the suspension with this alias is in force. */
export const isInForce = (suspension: string, at: RawBuilder<Date> = NOW): RawBuilder<boolean> =>
  sql`(${column(suspension, 'since')} <= ${at} and ${isOpen(suspension, at)})`;

/** Whether a decision of a kind ends the suspension with this alias. */
export const isEndedBy = (suspension: string, ended: Ended): RawBuilder<boolean> => {
  if (ended === 'all') return sql`true`;
  return ended === 'leaving'
    ? sql`${column(suspension, 'leaving')}`
    : sql`(${column(suspension, 'kind')} in ('policy', 'app'))`;
};

/** A suspension that has not ended. */
export interface OpenSuspension {
  id: string;
  app_id: string;
  account_id: string;
  kind: SuspensionKind;
  source_id: string | null;
  label: string;
  decided_by: string | null;
  reason: string | null;
  leaving: boolean;
  since: Date;
  has_begun: boolean;
}

/** Returns the suspensions of accounts that have not ended, oldest first. */
export const openSuspensions = (db: OrgDb, accountIds: readonly string[]) => many<OpenSuspension>(db)`
    select s.id, s.app_id, s.account_id, s.kind, s.source_id, s.label, s.decided_by, s.reason, s.leaving, s.since,
      s.since <= clock_now() as has_begun
    from suspension s
    where s.org_id = ${db.orgId} and s.account_id = any(${accountIds}::uuid[]) and ${isOpen('s')}
    order by s.since, s.id`;

/** Whether a decision of a kind ends a suspension. */
export const endsWith = (ended: Ended, { leaving, kind }: OpenSuspension): boolean =>
  ended === 'all' || (ended === 'leaving' ? leaving : kind === 'policy' || kind === 'app');
