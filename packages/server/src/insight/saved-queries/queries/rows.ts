import { accountDetails, accounts, entitlements, memberships } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, type RawBuilder, run, sql, value, values } from '#kit/sql.ts';
import type { Question } from '../definition.ts';
import type { Subject } from '../fields.ts';
import type { ResultRow } from '../schemas.ts';
import { conditionOf } from './conditions.ts';
import { type Asked, jsonValue, sortOf } from './values.ts';

/** The highest risk of the groups and licenses of each app: 1 to 3. */
const risks = ({ orgId }: Org) => sql`(
  select re.app_id, max(array_position(array['low', 'medium', 'high'], re.risk)) as risk
  from ${entitlements} re where re.org_id = ${orgId} and re.active and re.risk is not null group by re.app_id)`;

/** Tables that no field reads cost nothing: the planner leaves out their joins, which add no rows. */
const ofAccounts = (org: Org) => sql`
  left join app p on p.org_id = ${org.orgId} and p.id = a.app_id
  left join platform_user u on u.org_id = ${org.orgId} and u.id = a.user_id
  left join ${accountDetails} d on d.org_id = ${org.orgId} and d.account_id = a.id
  left join ${risks(org)} r on r.app_id = a.app_id`;

interface Relation {
  /** The table whose rows are listed. */
  table: RawBuilder<unknown>;
  joins: (org: Org) => RawBuilder<unknown>;
  /** The rows that the caller may see. */
  isVisible: (asked: Asked) => RawBuilder<unknown>;
  key: RawBuilder<unknown>[];
  /** Whether a row of the table is that of row `page`, which has the key as its columns one and two. */
  ofPage: RawBuilder<unknown>;
}

/** Archived apps are an array that is read once: in a join, PostgreSQL expects far too few rows. */
const inApps = ({ orgId, apps }: Asked) =>
  sql`a.org_id = ${orgId} and (${apps}::uuid[] is null or a.app_id = any(${apps}::uuid[])) and a.app_id <> all(array(
    select archived.id from app archived where archived.org_id = ${orgId} and archived.archived_at is not null))`;

const RELATIONS: Record<Subject, Relation> = {
  people: {
    table: sql`platform_user u`,
    joins: () => sql``,
    isVisible: ({ orgId }) => sql`u.org_id = ${orgId} and u.merged_into is null`,
    key: [sql`u.id`],
    ofPage: sql`u.id = page.one`,
  },
  accounts: {
    table: sql`${accounts} a`,
    joins: ofAccounts,
    isVisible: inApps,
    key: [sql`a.id`],
    ofPage: sql`a.id = page.one`,
  },
  access: {
    table: sql`${memberships} m`,
    joins: (org) => sql`
      join ${accounts} a on a.org_id = ${org.orgId} and a.id = m.account_id
      join ${entitlements} e on e.org_id = ${org.orgId} and e.id = m.entitlement_id ${ofAccounts(org)}`,
    isVisible: (asked) => sql`m.org_id = ${asked.orgId} and ${inApps(asked)}`,
    key: [sql`m.account_id`, sql`m.entitlement_id`],
    ofPage: sql`m.account_id = page.one and m.entitlement_id = page.two`,
  },
};

const user = namedPersonJson('u');
const account = sql`jsonb_build_object('external_uuid', a.id, 'email', a.email, 'username', a.username)`;
const resource = sql`jsonb_build_object('external_uuid', e.id, 'name', e.name, 'slug', e.slug, 'id', e.external_id)`;
const NONE = sql`null::jsonb`;
const app = sql`jsonb_build_object('id', p.id, 'name', p.name)`;

/** The things that a row is about. */
const THINGS: Record<Subject, RawBuilder<unknown>> = {
  people: sql`${user} as "user", ${NONE} as account, ${NONE} as app, ${NONE} as resource`,
  accounts: sql`case when u.id is not null then ${user} end as "user", ${account} as account, ${app} as app, ${NONE} as resource`,
  access: sql`case when u.id is not null then ${user} end as "user", ${account} as account, ${app} as app, ${resource} as resource`,
};

const found = (asked: Asked, { subject, conditions }: Question) => {
  const { table, joins, isVisible } = RELATIONS[subject];
  const all = [isVisible(asked), ...conditions.map((one) => conditionOf(asked, one))];
  return sql`${table} ${joins(asked)} where ${sql.join(
    all.map((one) => sql`(${one})`),
    sql` and `,
  )}`;
};

const shown = (asked: Asked, { subject, columns }: Question) => sql`${THINGS[subject]},
  json_build_object(${sql.join(columns.flatMap((one) => [sql`${one.name}::text`, jsonValue(asked, one)]))}) as fields`;

/**
 * Lets PostgreSQL use indexes for the rest of the transaction as if random reads cost little more than others, as on SSDs and in memory: by default,
 * it reads whole tables for conditions that one row in fifty meets.
 */
export const preferIndexes = (tx: OrgDb) => run(tx)`set local random_page_cost = 1.1`;

/** Lists a page of the rows. */
export async function listRows(
  db: OrgDb,
  apps: string[] | null,
  question: Question,
  page: Page,
): Promise<Slice<ResultRow>> {
  const asked = { orgId: db.orgId, apps };
  const { table, joins, isVisible, key, ofPage } = RELATIONS[question.subject];
  const sort = sortOf(asked, question);
  const counts = await countFor(db, page)`select from ${found(asked, question)}`;
  // The things and the columns are read for the rows of the page only: the sort has nothing else to carry.
  const results = await many<ResultRow>(db)`
    select ${shown(asked, question)} from (
      select ${key[0]} as one, ${key[1] ?? sql`null::uuid`} as two, ${sort.value} as sorted from ${found(asked, question)}
      order by ${sort.value} ${sort.direction}, ${sql.join(key)} limit ${page.limit} offset ${page.offset}
    ) page join ${table} on ${ofPage} ${joins(asked)} where ${isVisible(asked)}
    order by page.sorted ${sort.direction}, page.one, page.two`;
  return { ...counts, results };
}

export const countRows = (db: OrgDb, apps: string[] | null, question: Question) => value<number>(db)`
    select count(*) as n from ${found({ orgId: db.orgId, apps }, question)}`;

/** A row with its place in the order of ids. */
export type PlacedRow = ResultRow & { place: string[] };

/** Returns the next rows in the order of ids. */
export function rowsAfter(
  db: OrgDb,
  apps: string[] | null,
  question: Question,
  after: readonly string[] | null,
  limit: number,
): Promise<PlacedRow[]> {
  const asked = { orgId: db.orgId, apps };
  const key = sql.join(RELATIONS[question.subject].key);
  const behind =
    after === null ? sql`true` : sql`(${key}) > (${sql.join(after.map((id) => sql`${id}::uuid`))})`;
  return many<PlacedRow>(db)`
    select ${shown(asked, question)}, array[${key}]::text[] as place from ${found(asked, question)} and ${behind}
    order by ${key} limit ${limit}`;
}

/** Returns those of the ids that name nothing of the organization. */
export const unknownIds = (db: OrgDb, names: 'user' | 'app', ids: readonly string[]) => values<string>(db)`
    select given.id::text from unnest(${[...ids]}::uuid[]) given (id)
    where not exists (
      select from ${names === 'user' ? sql`platform_user` : sql`app`} t where t.org_id = ${db.orgId} and t.id = given.id)`;
