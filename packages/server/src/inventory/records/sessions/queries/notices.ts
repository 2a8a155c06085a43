import type { OrgDb } from '#kit/database.ts';
import { values } from '#kit/sql.ts';
import { heldSyncs } from '../facts.ts';

/** Returns those of the apps of which a sync waits for an administrator to approve its removals. */
export const appsWithHeldRemoval = (db: OrgDb, appIds: readonly string[]) => values<string>(db)`
    select s.app_id from ${heldSyncs} s where s.org_id = ${db.orgId} and s.app_id = any(${appIds}::uuid[])`;
