import { sql } from 'kysely';

/**
 * Every change of the inventory. Columns: org_id, id, app_id (null for our own changes), kind, source_id (the sync
 * session or the task), actor, at.
 */
export const inventoryChanges = sql`(
  select org_id, id, app_id, kind, source_id, actor, at from inventory_change)`;
