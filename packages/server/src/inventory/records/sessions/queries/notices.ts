import type { OrgDb } from '#kit/database.ts';
import { many, values } from '#kit/sql.ts';
import { heldSyncs, overdueSync } from '../facts.ts';

/** Returns those of the apps of which a sync waits for an administrator to approve its removals. */
export const appsWithHeldRemoval = (db: OrgDb, appIds: readonly string[]) => values<string>(db)`
    select s.app_id from ${heldSyncs} s where s.org_id = ${db.orgId} and s.app_id = any(${appIds}::uuid[])`;

export interface OverdueSync {
  app_id: string;
  app_name: string;
  sync_id: string;
  finished_at: Date;
}

/** Returns the apps whose next sync is overdue. */
export const overdueSyncs = (db: OrgDb) => many<OverdueSync>(db)`
    select a.id as app_id, a.name as app_name, o.sync_id, o.finished_at
    from app a cross join lateral ${overdueSync(db, 'a')} o
    where a.org_id = ${db.orgId} and a.archived_at is null`;
