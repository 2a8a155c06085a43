import { accounts, isUsableMember } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';
import { findingSentences } from '../../sentences.ts';
import { found } from '../touched.ts';
import { OF_ACCOUNTS } from './events.ts';
import { defineKind } from './kind.ts';

const column = (account: string, name: string) => sql.ref(`${account}.${name}`);

/** Whether the user name of the account with this alias goes beyond ASCII, in the words of the index account_look. */
const isBeyondAscii = (account: string): RawBuilder<boolean> => {
  const name = column(account, 'username');
  return sql`(octet_length(${name}) <> char_length(${name}))`;
};

/**
 * The account `a`, whose user name goes beyond ASCII, with an account `twin` of its app that people would take it for. Two of these are one pair: the
 * newer one looks like the older one. Names within ASCII, such as `al` and `a1`, are common among real people.
 */
const pairs = (org: Org): RawBuilder<unknown> => sql`
  ${accounts} a
  cross join lateral (
    select o.username, o.created_at from ${accounts} o
    where o.org_id = ${org.orgId} and o.app_id = a.app_id and o.username <> '' and name_key(o.username) = look_key(a.username)
      and not ${isBeyondAscii('o')} and ${isUsableMember('o')}
    union all
    select o.username, o.created_at from ${accounts} o
    where o.org_id = ${org.orgId} and o.app_id = a.app_id and ${isBeyondAscii('o')} and look_key(o.username) = look_key(a.username)
      and name_key(o.username) <> name_key(a.username) and (o.created_at, o.id) < (a.created_at, a.id) and ${isUsableMember('o')}
    order by 2, 1 limit 1) twin`;

const isCandidate = (org: Org): RawBuilder<boolean> =>
  sql`(a.org_id = ${org.orgId} and ${isBeyondAscii('a')} and ${isUsableMember('a')})`;

/** Returns the accounts with names beyond ASCII that look like those of these accounts. */
const looking = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select a.id from ${accounts} t
    join ${accounts} a on a.org_id = ${db.orgId} and a.app_id = t.app_id and ${isBeyondAscii('a')} and look_key(a.username) = look_key(t.username)
    where t.org_id = ${db.orgId} and t.id = any(${ids}::uuid[])`;

/** An account whose user name looks like that of another account of the app, such as one with a Cyrillic `а` (D82). */
export const lookalikeNames = defineKind({
  severity: 'medium',
  subject: 'account',
  say: findingSentences.finding_lookalike_names,
  href: (id) => `/accounts/${id}`,
  action: { label: 'Suspend account', operation: 'createTask' },
  rows: (org, within) => sql`
    select a.id as subject_id, a.app_id, a.user_id, greatest(a.created_at, twin.created_at) as since,
      jsonb_build_object('name', a.username, 'other', twin.username, 'app', p.name) as "values"
    from ${pairs(org)} join app p on p.org_id = ${org.orgId} and p.id = a.app_id and p.archived_at is null
    where ${isCandidate(org)} and ${within(sql`a.id`)}`,
  events: OF_ACCOUNTS,
  // The name that another one looks like.
  also: (db, { of }) => found(of.account, (ids) => looking(db, ids)),
  inApps: (org, appIds) =>
    sql`select a.id from ${pairs(org)} where ${isCandidate(org)} and a.app_id = any(${appIds}::uuid[])`,
});
