import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';

/** An attribute that people have, with its most frequent values. */
export interface AttributeUse {
  name: string;
  values: string[];
}

const MOST_ATTRIBUTES = sql.lit(100);
/** The most values of an attribute. */
export const MOST_VALUES = 50;
/** Enough to find the usual values, and few enough for a form that asks whenever it opens. */
const MOST_PEOPLE = sql.lit(20_000);
const LONGEST = sql.lit(200);

/** Returns the attributes with text of the newest people, and their most frequent values. */
export const textAttributes = (db: OrgDb) => many<AttributeUse>(db)`
    with newest as (
      select u.attributes from platform_user u
      where u.org_id = ${db.orgId} and u.merged_into is null order by u.org_id desc, u.id desc limit ${MOST_PEOPLE}
    ), used as (
      select in_nfc(one.key) as name, in_nfc(one.value #>> '{}') as value, count(*) as n
      from newest cross join lateral jsonb_each(newest.attributes) as one
      where jsonb_typeof(one.value) = 'string' and one.value <> '""'::jsonb
      group by 1, 2
    ), ranked as (
      select used.name, used.value, used.n,
        row_number() over (partition by used.name order by used.n desc, used.value collate "C") as place,
        sum(used.n) over (partition by used.name) as people
      from used
    )
    select ranked.name,
      coalesce(array_agg(ranked.value order by ranked.place)
        filter (where ranked.place <= ${sql.lit(MOST_VALUES)} and char_length(ranked.value) <= ${LONGEST}), '{}') as values
    from ranked group by ranked.name
    order by max(ranked.people) desc, ranked.name collate "C" limit ${MOST_ATTRIBUTES}`;
