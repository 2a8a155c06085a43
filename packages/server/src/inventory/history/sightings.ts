import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the access of an app was known at a time: a completed sync had been published by then. `appId` and `at` are
 * SQL expressions.
 */
export const isKnownAt = (
  orgId: string,
  appId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from inventory_change first
  where first.org_id = ${orgId} and first.app_id = ${appId} and first.started_at is not null
    and first.kind = 'sync' and first.completed_at is not null and first.reverted_at is null and first.at <= ${at})`;
