import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql, value } from '#kit/sql.ts';
import type { AccountRecords, Scope, stagedReference, unchangedAccount } from '../relations.ts';
import { rowsOf } from './relations.ts';

/** Settings of this transaction: memory for large joins, and statistics from a small sample, which is enough here. */
export async function configurePlanner(tx: OrgTx): Promise<void> {
  await run(tx)`set local work_mem = '64MB'`;
  await run(tx)`set local default_statistics_target = 10`;
}

/** Reads which accounts were pushed. The last push of an id wins (D17). `once`: none was pushed twice, so there is nothing to sort. */
export const selectRecords = ({ orgId, sessionId }: Scope, once: boolean): RawBuilder<unknown> => sql`
  select ${once ? sql`` : sql`distinct on (p.resource_type_id, external_id)`}
    p.resource_type_id, r.id collate "C" as external_id, p.number as page, r.place::integer as place, r.digest
  from sync_page p
  join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type = 'account'
  cross join lateral unnest(p.record_ids, p.digests) with ordinality as r (id, digest, place)
  where p.org_id = ${orgId} and p.session_id = ${sessionId}
  ${once ? sql`` : sql`order by p.resource_type_id, external_id, p.number desc`}`;

/** Counts the pushed accounts, those of overwritten pushes included. */
export const countPushes = (tx: OrgTx, { orgId, sessionId }: Scope) => value<number>(tx)`
    select coalesce(sum(cardinality(p.record_ids)), 0) as n from sync_page p
    join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type = 'account'
    where p.org_id = ${orgId} and p.session_id = ${sessionId}`;

const isOfSession = ({ orgId, sessionId }: Scope) => sql`p.org_id = ${orgId} and p.session_id = ${sessionId}`;

/** The pages with accounts of `changed`, and the places of these accounts. Columns: page, places. */
const changedPlaces = (scope: Scope, changed: AccountRecords) => sql`(
  select page, array_agg(place) as places from ${rowsOf(scope, changed)} group by page)`;

/** Selects the records that are not unchanged. */
export const selectChanged = (
  scope: Scope,
  records: AccountRecords,
  unchanged: typeof unchangedAccount,
): RawBuilder<unknown> => sql`
  select s.resource_type_id, s.external_id, s.page, s.place, s.digest from ${rowsOf(scope, records)} s
  where not exists (select from ${rowsOf(scope, unchanged)} u where u.page = s.page and u.place = s.place)`;

const accountFields = sql`
  email text, username text, first_name text, last_name text, display_name text, status text`;

/**
 * Parses the accounts of `changed`: all of the session if `all`, otherwise only theirs. `offset 0` makes the planner parse each page
 * once: it underestimates the number of pages.
 */
export const selectAccounts = (scope: Scope, changed: AccountRecords, all: boolean): RawBuilder<unknown> => {
  const parsed = all
    ? sql`(
        select p.number as page, parsed.* from sync_page p
        join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type = 'account'
        cross join lateral rows from (json_to_recordset(p.records::json) as (${accountFields})
        ) with ordinality as parsed (email, username, first_name, last_name, display_name, status, place)
        where ${isOfSession(scope)} offset 0
      ) r`
    : sql`(
        select p.number as page, found.record, found.place from sync_page p
        join ${changedPlaces(scope, changed)} c on c.page = p.number
        cross join lateral json_array_elements(p.records::json) with ordinality as found (record, place)
        where ${isOfSession(scope)} and found.place = any(c.places) offset 0
      ) f cross join lateral (
        select f.page, f.place, fields.* from json_to_record(f.record) as fields (${accountFields})) r`;
  return sql`
    select s.resource_type_id, s.external_id, coalesce(r.email, ''), coalesce(r.username, ''),
      coalesce(r.first_name, ''), coalesce(r.last_name, ''), coalesce(r.display_name, ''), r.status, s.page, s.place
    from ${parsed}
    join ${rowsOf(scope, changed)} s on s.page = r.page and s.place = r.place
    order by s.resource_type_id, s.external_id`;
};

/** Reads the references of the accounts of `changed`: all of the session if `all`, otherwise only theirs. */
export const selectReferences = (
  scope: Scope,
  changed: AccountRecords,
  all: boolean,
): RawBuilder<unknown> => sql`
  select p.number, f.place, t.id, f.id collate "C", f.name, v.id, f.via_id collate "C"
  from sync_page p
  ${all ? sql`` : sql`join ${changedPlaces(scope, changed)} c on c.page = p.number`}
  join resource_type own on own.org_id = p.org_id and own.id = p.resource_type_id
  cross join lateral unnest(p.ref_records, p.ref_types, p.ref_ids, p.ref_names, p.ref_via_types, p.ref_via_ids)
    as f (place, type, id, name, via_type, via_id)
  join resource_type t on t.org_id = p.org_id and t.clone_group_id = own.clone_group_id and t.slug = f.type
  left join resource_type v on v.org_id = p.org_id and v.clone_group_id = own.clone_group_id and v.slug = f.via_type
  where ${isOfSession(scope)} ${all ? sql`` : sql`and f.place = any(c.places)`}`;

/** A column of the inventory for a pushed group or license `r`. */
const present = (scope: Scope, name: string) => sql`(
  select ${sql.ref(`e.${name}`)} from entitlement e
  where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId} and e.resource_type_id = p.resource_type_id
    and e.external_id = r.id collate "C")`;

/**
 * Parses the pushed groups and licenses, and adds a placeholder for each one that is only referred to, as what an
 * account has or as what gives it (D18, D68). Pages that an earlier
 * release stored say nothing about risks and owners, and leave them as they are.
 */
export const selectEntitlements = (
  scope: Scope,
  references: typeof stagedReference,
): RawBuilder<unknown> => sql`
  select distinct on (resource_type_id, external_id)
    resource_type_id, external_id, name, description, max_count, used_count, is_paid, is_unlimited, risk, owner_email,
    pushed
  from (
    select p.resource_type_id, r.id collate "C" as external_id, r.name, coalesce(r.description, '') as description,
      r.max_count, r.used_count, r.is_paid, r.is_unlimited,
      case when p.details is null then ${present(scope, 'risk')} else r.risk end as risk,
      case when p.details is null then ${present(scope, 'owner_email')} else r.owner_email end as owner_email,
      true as pushed, p.number
    from sync_page p
    join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type <> 'account'
    cross join lateral json_to_recordset(p.records::json) as r (
      id text, name text, description text, max_count bigint, used_count bigint, is_paid boolean, is_unlimited boolean,
      risk text, owner_email text)
    where p.org_id = ${scope.orgId} and p.session_id = ${scope.sessionId}
    union all
    select resource_type_id, external_id, coalesce(max(name), ''), '', null, null, null, null, null, null, false, 0
    from ${rowsOf(scope, references)} group by resource_type_id, external_id
    union all
    select distinct via_type_id, via_external_id, '', '', null::bigint, null::bigint, null::boolean, null::boolean,
      null::text, null::text, false, -1
    from ${rowsOf(scope, references)} where via_type_id is not null
  ) as found
  order by resource_type_id, external_id, pushed desc, number desc`;

/**
 * Selects the details of all accounts on the session's pages: `page`, `place`, `detail` (JSON) and `digest`, both null for
 * an account without. Pages that an earlier release stored are left out.
 */
export const selectDetails = ({ orgId, sessionId }: Scope): RawBuilder<unknown> => sql`
  select p.number as page, d.place::integer as place, d.detail, d.digest
  from sync_page p
  join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type = 'account'
  cross join lateral unnest(p.record_ids, p.details, p.detail_digests) with ordinality as d (id, detail, digest, place)
  where p.org_id = ${orgId} and p.session_id = ${sessionId} and p.details is not null`;

export const pagesHaveDetails = (tx: OrgTx, { orgId, sessionId }: Scope) => value<boolean>(tx)`
    select exists (
      select from sync_page where org_id = ${orgId} and session_id = ${sessionId} and details <> '{}') as found`;
