import type { OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import { PERSON_ATTRIBUTES } from '../../../../../protocol/src/person-attributes.ts';
import { SHARED_VALUES, type SharedReason } from '../person.ts';

/** The SQL of an ASCII email's skeleton, as lookalikes.ts computes it. */
export const asciiSkeleton = sql`
  replace(replace(replace(translate(email_key(u.email), '01|\`', 'oll'''), 'm', 'rn'), '"', ''''''), '%', 'º/₀')`;

/** A value that more people share says nothing. Each group of n people has n * (n - 1) / 2 pairs. */
const MOST_ALIKE = 10;

const number = sql.join(
  PERSON_ATTRIBUTES.employee_number.spellings.map(
    (name) => sql`nullif(u.attributes ->> ${sql.lit(name)}, '')`,
  ),
);

/** The value of person `u` for each reason, as an index has it. */
const VALUES: Record<SharedReason, RawBuilder<unknown>> = {
  employee_number: sql`md5(lower(coalesce(${number})))`,
  lookalike_email: sql`coalesce(u.email_skeleton, ${asciiSkeleton})`,
  name: sql`md5(name_key(u.first_name || ' ' || u.last_name))`,
  local_part: sql`split_part(${emailKey(sql`u.email`)}, '@', 1)`,
};

/** Whether person `u` has a value for the reason. */
const HAS_VALUE: Record<SharedReason, RawBuilder<unknown>> = {
  employee_number: sql`coalesce(${number}) is not null`,
  lookalike_email: sql`true`,
  name: sql`u.first_name <> '' and u.last_name <> ''`,
  local_part: sql`true`,
};

export interface SharedValue {
  reason: SharedReason;
  value: string;
}

const valuesOfPeople = (tx: OrgTx, ids: readonly string[]) => sql`
  select v.reason, v.value from platform_user u
  cross join lateral (values ${sql.join(
    SHARED_VALUES.map(
      (reason) => sql`(${sql.lit(reason)}, case when ${HAS_VALUE[reason]} then ${VALUES[reason]} end)`,
    ),
  )}) as v (reason, value)
  where u.org_id = ${tx.orgId} and u.id = any(${ids}::uuid[]) and v.value is not null`;

/** Returns the values by which these people may be duplicates of others. */
export async function valuesOf(tx: OrgTx, ids: readonly string[]): Promise<SharedValue[]> {
  if (ids.length === 0) return [];
  return await many<SharedValue>(tx)`${valuesOfPeople(tx, ids)}`;
}

/**
 * Records who shares a value now that people were added, changed or removed: the values of the people with these `ids`, and their
 * `former` values. The caller must hold lockPeople.
 */
export async function refreshShared(
  tx: OrgTx,
  ids: readonly string[],
  former: readonly SharedValue[],
): Promise<void> {
  if (ids.length + former.length === 0) return;
  await run(tx)`
    with touched as materialized (
      ${valuesOfPeople(tx, ids)}
      union
      select * from unnest(${former.map(({ reason }) => reason)}::text[], ${former.map(({ value }) => value)}::text[])
    ), shared as materialized (${sql.join(
      SHARED_VALUES.map((reason) => peopleWith(tx, reason)),
      sql` union all `,
    )}
    ), unshared as (
      delete from shared_value v using shared s
      where v.org_id = ${tx.orgId} and v.reason = s.reason and v.value = s.value and not ${isShared}
    )
    insert into shared_value as v (org_id, reason, value, user_ids)
    select ${tx.orgId}::uuid, s.reason, s.value, s.user_ids from shared s where ${isShared}
    on conflict (org_id, reason, value) do update set user_ids = excluded.user_ids
    where v.user_ids <> excluded.user_ids`;
}

const isShared = sql`cardinality(s.user_ids) between 2 and ${sql.lit(MOST_ALIKE)}`;

/** The touched values of one reason, with the people who have them, or more of them than may be alike. */
const peopleWith = (tx: OrgTx, reason: SharedReason): RawBuilder<unknown> => sql`
  select t.reason, t.value, array(
    select u.id from platform_user u
    where u.org_id = ${tx.orgId} and ${VALUES[reason]} = t.value and ${HAS_VALUE[reason]}
      and u.merged_into is null and u.succeeded_by is null
    limit ${sql.lit(MOST_ALIKE + 1)}) as user_ids
  from touched t where t.reason = ${sql.lit(reason)}`;
