import { overdueSync } from '#inventory/records/sessions/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import { isAccepted } from '../filters.ts';

/** Returns those of the apps with an overdue sync, without accepted ones. */
export const overdueSyncs = (db: OrgDb, appIds: readonly string[]) => many<{
  app_id: string;
  app_name: string;
  sync_id: string;
  finished_at: Date;
}>(db)`
    select a.id as app_id, a.name as app_name, o.sync_id, o.finished_at
    from finding f
    join app a on a.org_id = ${db.orgId} and a.id = f.subject_id and a.archived_at is null
    cross join lateral ${overdueSync(db, 'a')} o
    where f.org_id = ${db.orgId} and f.kind = 'overdue_sync' and f.subject_id = any(${appIds}::uuid[])
      and f.resolved_at is null and not ${isAccepted}`;
