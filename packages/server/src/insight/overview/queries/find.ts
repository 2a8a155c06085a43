import { isLeaver } from '#inventory/records/accounts/leaver-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { nfc } from '#kit/nfc.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import type { Found, FoundKind } from '../found.ts';

/** The number of matches that are ordered. More would be slow, and nobody would look through them. */
const ORDERED = 50;

interface Search {
  text: string;
  /** Each is found in the name, in any order. Their number is limited. */
  words: readonly string[];
  /** The number of a request. */
  number: number | null;
  /** Whether to search more than apps and requests. */
  readsAll: boolean;
  /** Whether to search accounts, groups and licenses, and requests. */
  readsInventory: boolean;
  few: number;
}

/** Words of this length are found within others. The indexes find shorter ones only where a word begins. */
const SHORTEST_PART = 3;

/** Whether every word is in the name. PostgreSQL makes the form for comparing, as in the indexes: its case mapping differs from JavaScript's in some scripts. */
function matches(words: readonly string[], name: RawBuilder<unknown>): RawBuilder<boolean> {
  const like = (pattern: string) => sql`${name} like name_key(${pattern})`;
  const each = words.map((word) => {
    const escaped = word.replace(/[\\%_]/g, (character) => `\\${character}`);
    return word.length < SHORTEST_PART
      ? sql`(${like(`${escaped}%`)} or ${like(`% ${escaped}%`)})`
      : like(`%${escaped}%`);
  });
  return sql`(${sql.join(each, sql` and `)})`;
}

/**
 * Finds records by the words of their name, and a request by its number: a few of each kind. First those that have the text as
 * their name, then those that begin with it. One statement, because someone waits after each key press.
 */
export async function find(
  db: OrgDb,
  { text, words, number, readsAll, readsInventory, few }: Search,
): Promise<Found[]> {
  const isMatch = (name: RawBuilder<unknown>) => matches(words, name);
  // Trigrams consist of letters and digits: without them, the indexes of people and accounts do not help.
  const isIndexed = /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(nfc(text));
  const fewest = (kind: FoundKind, from: ReturnType<typeof sql>) => sql`
    (select ${kind}::text as kind, found.id as external_uuid, found.name, found.about, found.status, found.leaver
     from (${from} limit ${ORDERED}) as found
     order by name_key(found.name) = name_key(${text}) desc, position(name_key(${text}) in name_key(found.name)) = 1 desc,
       found.name, found.status in ('deactivated', 'archived', 'deleted', 'INACTIVE'), found.id limit ${few})`;
  const kinds = [
    fewest(
      'app',
      sql`select a.id, a.name, '' as about, case when a.archived_at is not null then 'archived' end as status, false as leaver
        from app a
        where a.org_id = ${db.orgId} and (a.archived_at is null or ${readsAll}) and ${isMatch(sql`name_key(a.name)`)}
        order by a.id`,
    ),
  ];
  if (readsInventory && number !== null)
    kinds.push(
      fewest(
        'request',
        sql`select t.id, t.label as name, t.status as about, null::text as status, false as leaver from ticket t
          where t.org_id = ${db.orgId} and t.number = ${number}::bigint order by t.id`,
      ),
    );
  // The expressions of the indexes platform_user_part and account_part.
  if (readsAll && isIndexed)
    kinds.push(
      fewest(
        'person',
        sql`select u.id, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name,
            u.email as about, u.status, ${readsInventory} and ${isLeaver(db, null)} as leaver from platform_user u
          where u.org_id = ${db.orgId} and u.merged_into is null
            and ${isMatch(sql`name_key(u.email || ' ' || u.username || ' ' || u.first_name || ' ' || u.last_name)`)}
          order by u.id`,
      ),
    );
  if (readsAll && isIndexed && readsInventory)
    kinds.push(
      fewest(
        'account',
        sql`select c.id, coalesce(nullif(c.email, ''), nullif(c.username, ''), c.display_name) as name,
            a.name as about, c.status, false as leaver from account c
          join app a on a.org_id = c.org_id and a.id = c.app_id
          where c.org_id = ${db.orgId} and a.archived_at is null
            and ${isMatch(sql`search_key(c.email || ' ' || c.username || ' ' || c.display_name)`)}
          order by c.id`,
      ),
      fewest(
        'resource',
        sql`select e.id, coalesce(nullif(e.name, ''), e.external_id) as name, a.name as about,
            case when not e.active then 'deleted' end as status, false as leaver
          from entitlement e join app a on a.org_id = e.org_id and a.id = e.app_id
          where e.org_id = ${db.orgId} and a.archived_at is null and ${isMatch(sql`name_key(e.name)`)}
          order by e.id`,
      ),
    );
  if (readsAll)
    kinds.push(
      fewest(
        'group',
        sql`select g.id, g.display_name as name, coalesce(g.external_id, '') as about, null::text as status, false as leaver
          from person_group g where g.org_id = ${db.orgId} and ${isMatch(sql`name_key(g.display_name)`)} order by g.id`,
      ),
      fewest(
        'policy',
        sql`select p.id, p.name, '' as about, null::text as status, false as leaver from policy p
          where p.org_id = ${db.orgId} and ${isMatch(sql`name_key(p.name)`)} order by p.id`,
      ),
      fewest(
        'campaign',
        sql`select r.id, r.settings ->> 'name' as name, '' as about, null::text as status, false as leaver
          from review_campaign r
          where r.org_id = ${db.orgId} and r.deleted_at is null and ${isMatch(sql`name_key(r.settings ->> 'name')`)}
          order by r.id`,
      ),
    );
  return many<Found>(db)`${sql.join(kinds, sql` union all `)}`;
}
