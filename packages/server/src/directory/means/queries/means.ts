import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run, sql } from '#kit/sql.ts';
import { type Acting, ANY_PROVIDER, type Because, type GivenMeans, MEANS_DAYS } from '../acting.ts';

export interface Hand {
  /** The place of the one who acts in the list that was asked about. */
  of: number;
  person: string;
  because: Because;
}

const period = sql`interval '${sql.raw(String(MEANS_DAYS))} days'`;

/**
 * Returns the people behind each of these, link by link, until nobody is added. The creation of a person and a change of their email do
 * not count for what they do through a provider that was unchanged for 30 days: it knows on its own who they are. A merged person counts as the
 * one who remains.
 */
export const handsBehind = (db: OrgDb, acting: readonly Acting[]) => many<Hand>(db)`
    with recursive hand (of, at, person, through, because) as (
      select given.n::integer - 1, coalesce(given.at, clock_now()), given.person, given.through, 'self'
      from unnest(${acting.map(({ person }) => person)}::uuid[], ${acting.map(({ provider }) => provider)}::text[],
        ${acting.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[])
        with ordinality as given (person, through, at, n)
      union
      select h.of, h.at, g.giver_id, g.through, case when h.because = 'self' then g.kind else 'chain' end
      from hand h cross join lateral (
        select m.giver_id, m.through, m.kind from given_means m
        where m.org_id = ${db.orgId} and m.receiver_id = h.person and m.given_at > h.at - ${period} and m.given_at <= h.at
          and (m.kind not in ('person', 'email') or h.through is null or h.through = ${ANY_PROVIDER} or exists (
            select from given_means changed
            where changed.org_id = ${db.orgId} and changed.provider = h.through
              and changed.given_at > h.at - ${period} and changed.given_at <= h.at))
        union all
        select m.giver_id, m.through, m.kind from given_means m
        where m.org_id = ${db.orgId} and (m.provider = h.through or m.kind = 'provider' and h.through = ${ANY_PROVIDER})
          and m.given_at > h.at - ${period} and m.given_at <= h.at
      ) g
    )
    select distinct on (of, person) of, person, because from (
      select of, person, because from hand
      union all
      select h.of, u.merged_into, h.because from hand h
      join platform_user u on u.org_id = ${db.orgId} and u.id = h.person and u.merged_into is not null
    ) behind
    order by of, person, because <> 'self', because = 'chain', because`;

/** Records what these people gave. Nobody gives themselves anything. */
export const insertMeans = (
  tx: OrgTx,
  means: readonly GivenMeans[],
  { givers, through }: { givers: readonly string[]; through: string | null },
) => run(tx)`
    insert into given_means (org_id, kind, receiver_id, provider, giver_id, through)
    select ${tx.orgId}::uuid, m.kind, m.receiver, m.provider, g.giver, ${through}::text
    from unnest(${means.map(({ kind }) => kind)}::text[], ${means.map(({ receiver }) => receiver)}::uuid[],
      ${means.map(({ provider }) => provider)}::text[]) as m (kind, receiver, provider)
    cross join unnest(${[...givers]}::uuid[]) as g (giver)
    where g.giver is distinct from m.receiver`;

/**
 * Keeps since when these people no longer are active owners or administrators: `demoted` have lost the role, and `deactivated` have it
 * still, or have lost it as well.
 */
export const noteFormerAdministrators = (
  tx: OrgTx,
  { demoted, deactivated }: { demoted: readonly string[]; deactivated: readonly string[] },
) => run(tx)`
    insert into former_administrator (org_id, user_id)
    select u.org_id, u.id from platform_user u
    where u.org_id = ${tx.orgId} and u.id = any(${[...demoted, ...deactivated]}::uuid[])
      and (u.id = any(${[...demoted]}::uuid[]) and (u.status = 'active' or u.id = any(${[...deactivated]}::uuid[]))
        or u.id = any(${[...deactivated]}::uuid[]) and u.role in ('owner', 'admin'))`;

/** Returns the active owners and administrators, and those of the last 30 days. A record that was merged is that of who remains. */
export const recentAdministrators = (db: OrgDb) => many<{ id: string; email: string | null }>(db)`
    select u.id, u.email from platform_user u
    where u.org_id = ${db.orgId} and u.role in ('owner', 'admin') and u.status = 'active'
    union
    select coalesce(u.merged_into, f.user_id), coalesce(into_.email, u.email)
    from former_administrator f
    left join platform_user u on u.org_id = ${db.orgId} and u.id = f.user_id
    left join platform_user into_ on into_.org_id = ${db.orgId} and into_.id = u.merged_into
    where f.org_id = ${db.orgId} and f.until > clock_now() - ${period}`;
