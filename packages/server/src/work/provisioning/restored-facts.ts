import { inventoryChanges } from '#inventory/records/history/change-facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { endOf, grants } from '#reasons/grants/facts.ts';
import { decisionOfTask, tasks } from './facts.ts';

/**
 * The decision that gave access back, as JSON: that of the task of a change, or else the last grant since `since`. Null if it did not come back, or
 * did so without a decision. `gone` is the alias of `seenGone`; the rest are SQL expressions.
 */
export const restoredBy = (
  org: Org,
  gone: string,
  { accountId, entitlementId, since }: Record<'accountId' | 'entitlementId' | 'since', RawBuilder<unknown>>,
): RawBuilder<unknown> => {
  const { kind, id } = decisionOfTask('back');
  const [backAt, beganBy] = [sql.ref(`${gone}.seen_again_at`), sql.ref(`${gone}.began_by`)];
  return sql`case when ${backAt} is not null then coalesce((
    select jsonb_build_object('kind', ${kind}, 'external_uuid', ${id}, 'label', back.source_label)
    from ${inventoryChanges} c join ${tasks} back on back.org_id = ${org.orgId} and back.id = c.source_id
    where c.org_id = ${org.orgId} and c.id = ${beganBy} and c.kind = 'task'), (
    select jsonb_build_object('kind', g.kind, 'external_uuid', g.source_id, 'label', g.label)
    from ${grants} g
    where g.org_id = ${org.orgId} and g.account_id = ${accountId} and g.entitlement_id is not distinct from ${entitlementId}
      and g.recorded_at > ${since} and g.starts_at <= ${backAt} and coalesce(${endOf('g')}, 'infinity') > ${backAt}
    order by g.recorded_at desc, g.id limit 1)) end`;
};
