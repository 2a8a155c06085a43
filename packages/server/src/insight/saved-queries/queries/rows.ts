import { accountDetails, accounts, entitlements, memberships } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import type { Question } from '../definition.ts';
import type { Subject } from '../fields.ts';
import type { ResultRow } from '../schemas.ts';
import { conditionOf } from './conditions.ts';
import { type Asked, jsonValue, orderOf } from './values.ts';

/** The highest risk of the groups and licenses of each app: 1 to 3. */
const risks = ({ orgId }: Org) => sql`(
  select re.app_id, max(array_position(array['low', 'medium', 'high'], re.risk)) as risk
  from ${entitlements} re where re.org_id = ${orgId} and re.active and re.risk is not null group by re.app_id)`;

/** Tables that no field reads cost nothing: the planner leaves out their joins, which add no rows. */
const ofAccounts = (org: Org) => sql`
  join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
  left join platform_user u on u.org_id = ${org.orgId} and u.id = a.user_id
  left join ${accountDetails} d on d.org_id = ${org.orgId} and d.account_id = a.id
  left join ${risks(org)} r on r.app_id = a.app_id`;

interface Relation {
  from: (org: Org) => RawBuilder<unknown>;
  /** The rows that the caller may see. */
  isVisible: (asked: Asked) => RawBuilder<unknown>;
  key: RawBuilder<unknown>[];
}

const inApps = ({ orgId, apps }: Asked) =>
  sql`a.org_id = ${orgId} and (${apps}::uuid[] is null or a.app_id = any(${apps}::uuid[]))`;

const RELATIONS: Record<Subject, Relation> = {
  people: {
    from: () => sql`platform_user u`,
    isVisible: ({ orgId }) => sql`u.org_id = ${orgId} and u.merged_into is null`,
    key: [sql`u.id`],
  },
  accounts: {
    from: (org) => sql`${accounts} a ${ofAccounts(org)}`,
    isVisible: inApps,
    key: [sql`a.id`],
  },
  access: {
    from: (org) => sql`${memberships} m
      join ${accounts} a on a.org_id = ${org.orgId} and a.id = m.account_id
      join ${entitlements} e on e.org_id = ${org.orgId} and e.id = m.entitlement_id ${ofAccounts(org)}`,
    isVisible: (asked) => sql`m.org_id = ${asked.orgId} and ${inApps(asked)}`,
    key: [sql`a.id`, sql`e.id`],
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
  const { from, isVisible } = RELATIONS[subject];
  const all = [isVisible(asked), ...conditions.map((one) => conditionOf(asked, one))];
  return sql`${from(asked)} where ${sql.join(
    all.map((one) => sql`(${one})`),
    sql` and `,
  )}`;
};

const shown = (asked: Asked, { subject, columns }: Question) => sql`${THINGS[subject]},
  json_build_object(${sql.join(columns.flatMap((one) => [sql`${one.name}::text`, jsonValue(asked, one)]))}) as fields`;

/** Lists a page of the rows. */
export async function listRows(
  db: OrgDb,
  apps: string[] | null,
  question: Question,
  page: Page,
): Promise<Slice<ResultRow>> {
  const asked = { orgId: db.orgId, apps };
  const order = sql.join([orderOf(asked, question), ...RELATIONS[question.subject].key]);
  const counts = await countFor(db, page)`select from ${found(asked, question)}`;
  const results = await many<ResultRow>(db)`
    select ${shown(asked, question)} from ${found(asked, question)}
    order by ${order} limit ${page.limit} offset ${page.offset}`;
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
