import { inventoryChanges } from '#inventory/records/history/change-facts.ts';
import { exactTime } from '#inventory/records/history/period-facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import { decidedBy, decisionBehind } from '../decision-facts.ts';
import type { Cause, EndedBy } from '../period-schemas.ts';

const sourceOf = (type: 'ticket' | 'review_item' | 'policy') =>
  sql`case when t.source_type = ${sql.lit(type)} then t.source_id end`;

/** The decision that ended the period with the change `changeId`, as JSON. Null: no task of ours did. The ids are SQL expressions. */
export const endedByOf = (
  org: Org,
  changeId: RawBuilder<unknown>,
  access: Record<'accountId' | 'entitlementId', RawBuilder<unknown>>,
): RawBuilder<EndedBy | null> => sql<EndedBy | null>`(
    select ${decisionBehind(org, { ...access, at: sql`c.at` })}
    from ${inventoryChanges} c
    join ${tasks} t on t.org_id = c.org_id and t.id = c.source_id
    where c.org_id = ${org.orgId} and c.id = ${changeId} and c.kind = 'task')`;

/** The cause with this id, as JSON or null. `changeId` is an SQL expression. */
export const causeOf = (
  org: Org,
  changeId: RawBuilder<unknown>,
): RawBuilder<Cause | null> => sql<Cause | null>`(
  select jsonb_build_object('kind', c.kind, 'at', ${exactTime(sql`c.at`)},
    'sync_id', case when c.kind <> 'task' then c.source_id end, 'task_id', t.id, 'confirmed', t.confirmed,
    'ticket_id', ${sourceOf('ticket')}, 'review_item_id', ${sourceOf('review_item')},
    'policy_id', ${sourceOf('policy')},
    'decided_by', case when d.id is not null then
      jsonb_build_object('external_uuid', d.id, 'email', coalesce(u.email, '')) end,
    'actor', case when c.actor is not null then
      jsonb_build_object('type', c.actor ->> 'type', 'uuid', c.actor ->> 'uuid') end)
  from ${inventoryChanges} c
  left join ${tasks} t on c.kind = 'task' and t.org_id = c.org_id and t.id = c.source_id
  left join lateral (select ${decidedBy(org)} as id) d on true
  left join platform_user u on u.org_id = c.org_id and u.id = d.id
  where c.org_id = ${org.orgId} and c.id = ${changeId})`;
