import { entitlements } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { value } from '#kit/sql.ts';
import type { Settings } from '../../campaigns/cycle.ts';
import { isIncluded } from '../../campaigns/queries/scope.ts';

/** Counts the members of the groups and licenses of a scope that no sync shows (D81). They have no items. */
export const countHidden = (db: OrgDb, scope: Settings['scope']) => value<number>(db)`
    select coalesce(sum(e.hidden_members), 0)::bigint as n
    from app p join ${entitlements} e on e.org_id = p.org_id and e.app_id = p.id
    where p.org_id = ${db.orgId} and p.archived_at is null
      and (${scope.apps}::uuid[] is null or p.id = any(${scope.apps}::uuid[]))
      and e.active and e.is_hiding and ${isIncluded(scope)}`;
