import type { OrgDb } from '#kit/database.ts';
import { isoTime, many, type RawBuilder, sql } from '#kit/sql.ts';
import { endOf, grants } from '#reasons/grants/facts.ts';
import { isInForce, suspensions } from '#reasons/suspensions/facts.ts';
import { decidedAt } from '#work/provisioning/facts.ts';
import { removals } from '#work/provisioning/removal-facts.ts';
import type { LostBy } from '../schemas.ts';

/** An access that an account had and lacks. */
export interface Missing {
  account_id: string;
  /** Null: the account itself. */
  entitlement_id: string | null;
  /** Whether a sync found it: its grants did not end it. */
  found: boolean;
  /** Whether another account gets it, where tasks of this one that are planned take nothing away. */
  moved: boolean;
}

/** Why an access is missing. */
export interface Loss {
  account_id: string;
  entitlement_id: string | null;
  /** Null: no decision took it away. */
  lost_by: LostBy | null;
  /** When the decisions that gave it let it end, in ISO 8601. Null: never. */
  ends_at: string | null;
  /** Whether that time is over. */
  is_over: boolean;
  /** The decisions that all have to be chosen. Missing: that of `lost_by`. */
  decisions?: (string | null)[];
}

/** The decision that ended grant `g`: its own if its time was over, also if it was missing then. */
const isDecided = sql`coalesce(g.ended_kind not in ('sync', 'app'), false)`;
const ended = sql`jsonb_build_object(
  'kind', case when ${isDecided} then g.ended_kind else 'end' end,
  'external_uuid', case when ${isDecided} then g.ended_source else g.source_id end,
  'label', case when ${isDecided} then g.ended_label else g.label end,
  'decided_by', case when not ${isDecided} then g.decided_by end,
  'at', ${isoTime(sql`case when ${isDecided} then g.ended_at else g.ends_at end`)})`;

const noInfinity = (time: RawBuilder<unknown>) => isoTime(sql`nullif(${time}, 'infinity')`);

/**
 * Returns for each of these accesses the decision that took it away after the time `asOf`, and its end. A later decision gives it back: what
 * that gave and a sync lost is lost by mistake. Grants of anything in an account are reasons for the account.
 */
export const lossesOf = (db: OrgDb, missing: readonly Missing[], asOf: string) => many<Loss>(db)`
    with missing as materialized (
      select * from unnest(${missing.map(({ account_id }) => account_id)}::uuid[],
        ${missing.map(({ entitlement_id }) => entitlement_id)}::uuid[], ${missing.map(({ found }) => found)}::boolean[],
        ${missing.map(({ moved }) => moved)}::boolean[]) as m (account_id, entitlement_id, found, moved)
    ), last as materialized (
      select distinct on (m.account_id, m.entitlement_id) m.account_id, m.entitlement_id, r.kind, r.id, r.label, r.decided_by,
        r.created_at, r.retry_of
      from missing m
      join ${removals(db, sql`${asOf}::timestamptz`)} r on r.account_id = m.account_id and (r.has_come or m.moved)
        and (r.entitlement_id is null or r.entitlement_id = m.entitlement_id)
      order by m.account_id, m.entitlement_id, r.number desc
    ), taken as materialized (
      select last.account_id, last.entitlement_id, ${decidedAt(db, 'last')} as at, last.kind, last.id, last.label, last.decided_by
      from last
    )
    select m.account_id, m.entitlement_id,
      case when lives then null
        when t.kind is not null then jsonb_build_object('kind', t.kind, 'external_uuid', t.id, 'label', t.label, 'decided_by',
          t.decided_by, 'at', ${isoTime(sql`t.at`)})
        when not m.found then given.ended end as lost_by,
      case when lives then ${noInfinity(sql`given.lives_until`)} when not m.found then ${noInfinity(sql`given.held_until`)} end as ends_at,
      not m.found and not coalesce(lives, false) and coalesce(given.held_until <= clock_now(), false) as is_over
    from missing m
    left join taken t on t.account_id = m.account_id and t.entitlement_id is not distinct from m.entitlement_id
    cross join lateral (
      select bool_or(g.lives) as lives, coalesce(max(g.until) filter (where g.lives and g.is_own), max(g.until) filter (where g.lives))
          as lives_until,
        coalesce(max(g.until) filter (where g.is_held and g.is_own), max(g.until) filter (where g.is_held), max(g.until)) as held_until,
        (array_agg(${ended} order by ${endOf('g')} desc, g.id))[1] as ended
      from (
        select g.*, coalesce(g.ends_at, 'infinity') as until, g.entitlement_id is not distinct from m.entitlement_id as is_own,
          not ${isDecided} and coalesce(g.ends_at, 'infinity') > clock_now() and (t.at is null or g.recorded_at > t.at)
            and (not m.found or t.at is not null) as lives,
          g.starts_at <= ${asOf}::timestamptz and coalesce(${endOf('g')}, 'infinity') > ${asOf}::timestamptz as is_held
        from ${grants} g
        where g.org_id = ${db.orgId} and g.account_id = m.account_id and g.starts_at <= clock_now()
          and (m.entitlement_id is null or g.entitlement_id = m.entitlement_id)
      ) g
    ) given`;

/** Returns the decisions that suspend accounts now, the last one of each. A suspension that a sync found is not a decision. */
export const suspendedBy = (db: OrgDb, accountIds: readonly string[]) => many<Loss>(db)`
    select distinct on (s.account_id) s.account_id, null as entitlement_id, null as ends_at, false as is_over,
      array_agg(s.source_id::text) over (partition by s.account_id) as decisions,
      jsonb_build_object('kind', s.kind, 'external_uuid', s.source_id, 'label', s.label, 'decided_by',
        case when s.kind <> 'policy' then s.decided_by end, 'at', ${isoTime(sql`s.since`)}) as lost_by
    from ${suspensions} s
    where s.org_id = ${db.orgId} and s.account_id = any(${accountIds}::uuid[]) and s.kind <> 'app' and ${isInForce('s')}
    order by s.account_id, s.since desc, s.id`;
