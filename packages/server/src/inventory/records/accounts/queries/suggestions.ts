import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { exists, many, type RawBuilder, sql, value } from '#kit/sql.ts';
import {
  SUGGESTION_REASONS,
  type Suggestion,
  type SuggestionReason,
  type Unlinked,
} from '../unlinked-schemas.ts';

/** An account without a person. */
export type UnlinkedAccount = Omit<Unlinked, 'external_uuid' | 'app' | 'suggestions'> &
  Record<'id' | 'app_id' | 'app_name' | 'first_name' | 'last_name', string>;

/**
 * Accounts that exist and have neither a person nor an owner. An owner that only the app names does not count, so that an
 * app cannot keep accounts from being looked at (D54). `account` is an alias.
 */
const isQueued = (org: Org, account: string) => {
  const column = (name: string) => sql.ref(`${account}.${name}`);
  return sql`${column('user_id')} is null and ${column('status')} in ('INVITED', 'ACTIVE', 'SUSPENDED')
    and ${column('removed_at')} is null and not exists (
      select from account_owner o
      where o.org_id = ${org.orgId} and o.account_id = ${column('id')} and o.owner_id is not null and o.by_hand)`;
};

/** Whether the app with this id is not archived, and among `apps` (null: all). */
const isListed = (org: Org, appId: string, apps: string[] | null) => sql`${sql.ref(appId)} in (
  select p.id from app p
  where p.org_id = ${org.orgId} and p.archived_at is null and (${apps}::uuid[] is null or p.id = any(${apps}::uuid[])))`;

/**
 * Lists the queue in order of creation, through the index account_orphan. The count comes from account_count, less the few
 * accounts that have an owner.
 */
export async function listUnlinked(
  db: OrgDb,
  apps: string[] | null,
  page: Page,
): Promise<Slice<UnlinkedAccount>> {
  const count = await value<number>(db)`
    select greatest((
      select coalesce(sum(c.n), 0) from account_count c
      where c.org_id = ${db.orgId} and not c.linked and c.status in ('INVITED', 'ACTIVE', 'SUSPENDED')
        and ${isListed(db, 'c.app_id', apps)}
    ) - (
      select count(*) from account_owner o join account a on a.org_id = ${db.orgId} and a.id = o.account_id
      where o.org_id = ${db.orgId} and o.owner_id is not null and o.by_hand and a.user_id is null
        and a.status in ('INVITED', 'ACTIVE', 'SUSPENDED')
        and ${isListed(db, 'a.app_id', apps)}
    ), 0)::bigint as n`;
  const rows = await many<UnlinkedAccount>(db)`
    with page as materialized (
      select a.id from account a
      where a.org_id = ${db.orgId} and ${isQueued(db, 'a')}
        and ${isListed(db, 'a.app_id', apps)}
      order by a.org_id, a.id limit ${page.limit} offset ${page.offset}
    )
    select a.id, a.app_id, p.name as app_name, a.external_id, a.email, a.username, a.first_name, a.last_name,
      a.display_name, a.status, a.created_at
    from page join account a on a.org_id = ${db.orgId} and a.id = page.id
    join app p on p.org_id = ${db.orgId} and p.id = a.app_id
    order by a.id`;
  return { count, results: rows };
}

export const PROBES = SUGGESTION_REASONS;

/** A question for the people to whom an account may belong. */
export interface Probe {
  account_id: string;
  kind: SuggestionReason;
  value: string;
  /** The name of the account, to compare with that of the person. */
  name: string;
}

/** A person who may have an account. */
export interface Candidate extends Pick<Suggestion, 'user'> {
  account_id: string;
  kind: SuggestionReason;
  /** How alike the names are, from 0 to 1. */
  likeness: number;
}

/** Letters and digits without case and accents. The index platform_user_name_key has this of the initial and the last name. */
const plain = (text: RawBuilder<unknown>) =>
  sql`regexp_replace(normalize(lower(${text}), NFKD), '[^[:alnum:]]', '', 'g')`;

/** The same with the spaces and signs that separate words. Their order does not matter to similarity. */
const words = (text: RawBuilder<unknown>) =>
  sql`regexp_replace(normalize(lower(${text}), NFKD), '[^[:alnum:] .,_-]', '', 'g')`;

/** At most this many people for each probe, so that common names cost no more than others. */
const MOST = sql.lit(20);

/** Returns the people whom the probes find, each through an index. Leaves out those who were dismissed. */
export async function findCandidates(db: OrgDb, probes: readonly Probe[]): Promise<Candidate[]> {
  if (probes.length === 0) return [];
  const { rows } = await candidatesStatement(db, probes).execute(db);
  return rows;
}

export function candidatesStatement(org: Org, probes: readonly Probe[]): RawBuilder<Candidate> {
  const lists = PROBES.map(
    (kind) => sql`(
    select u.id, u.email, u.first_name, u.last_name, u.status from platform_user u
    where u.org_id = ${org.orgId} and u.merged_into is null and u.succeeded_by is null and g.kind = ${sql.lit(kind)} and ${MATCHES[kind]} limit ${MOST})`,
  );
  const column = (name: keyof Probe) => probes.map((probe) => probe[name]);
  return sql<Candidate>`
    select g.account_id, g.kind, jsonb_build_object('external_uuid', u.id, 'email', u.email, 'first_name', u.first_name,
        'last_name', u.last_name, 'status', u.status) as "user",
      similarity(${words(sql`g.name`)}, ${words(sql`u.first_name || ' ' || u.last_name`)}) as likeness
    from unnest(${column('account_id')}::uuid[], ${column('kind')}::text[], ${column('value')}::text[],
      ${column('name')}::text[]) as g (account_id, kind, value, name)
    cross join lateral (${sql.join(lists, sql` union all `)}) as u
    where not exists (
      select from link_dismissal d where d.org_id = ${org.orgId} and d.account_id = g.account_id and d.user_id = u.id)`;
}

const MATCHES: Record<SuggestionReason, RawBuilder<unknown>> = {
  email: sql`${emailKey(sql`u.email`)} = ${emailKey(sql`g.value`)}`,
  username: sql`name_key(u.username) = name_key(g.value)`,
  local_part: sql`split_part(${emailKey(sql`u.email`)}, '@', 1) = ${emailKey(sql`g.value`)}`,
  name: sql`${plain(sql`left(u.first_name, 1) || u.last_name`)} = ${plain(sql`g.value`)}`,
};

/** Remembers that an account does not belong to a person. */
export const dismiss = (tx: OrgTx, accountId: string, userId: string) => exists(tx)`
    insert into link_dismissal (org_id, account_id, user_id) values (${tx.orgId}, ${accountId}, ${userId})
    on conflict do nothing returning account_id`;

/** Forgets that an account does not belong to a person. */
export const restore = (tx: OrgTx, accountId: string, userId: string) => exists(tx)`
    delete from link_dismissal where org_id = ${tx.orgId} and account_id = ${accountId} and user_id = ${userId}
    returning account_id`;
