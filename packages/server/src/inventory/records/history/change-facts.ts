import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/**
 * Every change of the inventory. Columns: org_id, id, app_id (null for our own changes), kind, source_id (the sync
 * session or the task), actor, at.
 */
export const inventoryChanges = sql`(
  select org_id, id, app_id, kind, source_id, actor, at from inventory_change)`;

/** The time as which everything counts that Gatehouse knows now. */
export const NOW: RawBuilder<unknown> = sql`'infinity'::timestamptz`;

/**
 * Whether the inventory_change with this alias is a completed sync, which saw everything that existed in its app, as
 * known at `known`: not yet reverted then. `started_at is not null` lets the index of syncs serve it.
 */
export const isSighting = (alias: string, known: RawBuilder<unknown> = NOW): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<boolean>`(${of('started_at')} is not null and ${of('kind')} = 'sync' and ${of('completed_at')} <= ${known}
    and (${of('reverted_at')} is null or ${of('reverted_at')} > ${known}))`;
};

/** Whether no periods that ended after the time `at` have been deleted. `at` is an SQL expression. */
export const isKept = (
  orgId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`
  not exists (select from history_start hs where hs.org_id = ${orgId} and hs.at > ${at})`;

/**
 * Whether the access of an app was known at a time: a completed sync had been published by then, and the periods since
 * have been kept. `appId` and `at` are SQL expressions.
 */
export const isKnownAt = (
  org: Org,
  appId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from inventory_change first
  where first.org_id = ${org.orgId} and first.app_id = ${appId} and ${isSighting('first')} and first.at <= ${at}
    and ${isKept(sql`${org.orgId}::uuid`, at)})`;
