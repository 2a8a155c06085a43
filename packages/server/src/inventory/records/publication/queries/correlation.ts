import type { OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, one, type RawBuilder, run, sql, values } from '#kit/sql.ts';
import { personWithEmail } from '../../accounts/facts.ts';
import { isCandidate } from '../../accounts/queries/correlation.ts';
import type { Merge } from '../../accounts/queries/effects.ts';
import type { Change } from '../../history/change.ts';
import { endedState, keepStates } from '../../history/queries/periods.ts';
import type { changedAccount, Scope, StartedAt, stagedAccount } from '../relations.ts';
import { isStagedAccount } from './accounts.ts';
import { rowsOf } from './relations.ts';

/*
 * Correlation: which pushed record is an account that a task created (D24). A pending account has no external id yet. Records
 * with unknown ids fit it by email, or by username if their email fits no pending account. A record that fits, but does not take
 * the account over, becomes an account of its own, and a candidate.
 */

const isAwaited = ({ orgId, appId }: Scope) => sql`
  org_id = ${orgId} and app_id = ${appId} and status in ('NEW', 'INVITED') and external_id is null`;

/**
 * The pending accounts. `is_named`: the task sent a username that is not the email. `is_theirs`: an account with this username is that of
 * the person, because a task has created it or because it is their own user name. Until then, somebody else can have a name that was
 * made for the account (D82).
 */
const awaited = (scope: Scope) => sql`(
  select id, user_id, ${emailKey(sql`email`)} as email, name_key(username) as username,
    username <> '' and name_key(username) <> name_key(email) as is_named,
    status <> 'NEW' or exists (
      select from platform_user u where u.org_id = ${scope.orgId} and u.id = account.user_id
        and name_key(u.username) = name_key(account.username)) as is_theirs
  from account where ${isAwaited(scope)})`;

export interface Expected {
  /** The app has pending accounts. */
  awaited: boolean;
  /** It has accounts for which a better record may come. */
  improvable: boolean;
}

export async function findExpected(tx: OrgTx, scope: Scope): Promise<Expected> {
  return (await one<Expected>(tx)`
    select exists (select from account where ${isAwaited(scope)}) as awaited,
      exists (
        select from account_correlation where org_id = ${scope.orgId} and app_id = ${scope.appId}) as improvable`) as Expected;
}

/** The records that earlier sessions left as candidates. `claim` needs the columns of this. */
const earlierClaims = ({ orgId }: Scope) => sql`
  select w.id as account_id, c.resource_type_id, c.external_id, c.username, false as is_new,
    c.email = '' or ${emailKey(sql`c.email`)} = w.email as is_sure,
    c.email <> '' and ${emailKey(sql`c.email`)} = w.email as is_by_email, c.id as candidate_id, c.created_at as known_since
  from awaited w
  join account a on a.org_id = ${orgId} and a.id = w.id
  join account_candidate k on k.org_id = ${orgId} and k.account_id = w.id
  join account c on c.org_id = ${orgId} and c.id = k.candidate_id
  where ${isCandidate('a', 'c')}`;

/**
 * The CTEs of a statement that correlates: `awaited`, and `claim` with each record that fits an account. `wins`: it is the one
 * with the username that the task sent. `is_alone`: no other record fits. `differs`: the task sent a username that is not the
 * email, and the record has another one. A record that fits by a username that is not the person's yet only counts as another one.
 */
const claimsOf = (scope: Scope, claims: RawBuilder<unknown>) => sql`
  awaited as materialized ${awaited(scope)}, ${claims}, exact as (
    select c.*, c.is_by_email or w.is_theirs as is_founded, w.username <> '' and name_key(c.username) = w.username and c.is_sure as is_exact,
      w.is_named and c.username <> '' and name_key(c.username) <> w.username as differs
    from claims c join awaited w on w.id = c.account_id
  ), claim as (
    select *,
      is_founded and is_exact and count(*) filter (where is_exact) over of_account = 1 and count(*) over of_record = 1 as wins,
      is_founded and count(*) over of_account = 1 and count(*) over of_record = 1 as is_alone
    from exact
    window of_account as (partition by account_id), of_record as (partition by resource_type_id, external_id)
  )`;

/**
 * The claims of pushed records with unknown ids, and the earlier ones. A username with another email is not sure, and with the email of
 * another person it is theirs.
 */
const stagedClaims = (scope: Scope, staged: typeof stagedAccount) =>
  claimsOf(
    scope,
    sql`
    unknown as (
      select s.* from ${rowsOf(scope, staged)} s where not exists (select from account a where ${isStagedAccount(scope)})
    ), by_email as (
      select w.id as account_id, u.resource_type_id, u.external_id, u.username, true as is_new, true as is_sure,
        true as is_by_email, null::uuid as candidate_id, null::timestamptz as known_since
      from unknown u join awaited w on w.email = ${emailKey(sql`u.email`)} and u.email <> ''
    ), by_username as (
      select w.id as account_id, n.resource_type_id, n.external_id, n.username, true, n.email = '',
        false, null::uuid, null::timestamptz
      from unknown n join awaited w on w.username = name_key(n.username) and n.username <> ''
      where not exists (
        select from by_email b where b.resource_type_id = n.resource_type_id and b.external_id = n.external_id)
        and (n.email = ''
          or coalesce(${personWithEmail(scope, emailKey(sql`n.email`))}, w.user_id) is not distinct from w.user_id)
    ), claims as (
      select * from by_email union all select * from by_username union all ${earlierClaims(scope)})`,
  );

const takesOver = sql`is_new and (wins or is_alone and not differs)`;

/** Selects the pending accounts that pushed records take over, and where these were pushed. */
export const selectAdoptions = (scope: Scope, staged: typeof stagedAccount): RawBuilder<unknown> => sql`
  with ${stagedClaims(scope, staged)}
  select account_id, resource_type_id, external_id from claim where ${takesOver}`;

/** Selects the pending accounts that pushed records fit. They exist: one of the records is theirs. */
export const selectClaimed = (scope: Scope, staged: typeof stagedAccount): RawBuilder<unknown> => sql`
  with ${stagedClaims(scope, staged)} select account_id from claim where is_new`;

/** Remembers what the task sent for the accounts of `taken (id, sent_email, sent_username)`. */
const remember = ({ orgId, appId }: Scope, taken: RawBuilder<unknown>) => sql`
  insert into account_correlation (org_id, account_id, app_id, email, username)
  select ${orgId}::uuid, id, ${appId}::uuid, sent_email, sent_username from ${taken}
  on conflict (org_id, account_id) do update set email = excluded.email, username = excluded.username`;

/**
 * Gives pending accounts the external ids under which they were pushed, and returns the ids of these accounts. The
 * pushed status differs from theirs, so that updateAccounts begins their new state.
 */
export const adoptAwaited = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  staged: typeof stagedAccount,
) => values<string>(tx)`
    with ${stagedClaims(scope, staged)}, adopted as (
      update account a set external_id = c.external_id, resource_type_id = c.resource_type_id,
        change_id = ${change.id}
      from (select * from claim where ${takesOver}) c
      where a.org_id = ${scope.orgId} and a.id = c.account_id
      returning a.id, a.email as sent_email, a.username as sent_username, c.is_exact, ${endedState}
    ), kept as (${keepStates(change, sql`adopted`)}
    ), remembered as (${remember(scope, sql`adopted where not is_exact`)}
    ), settled as (
      delete from account_candidate k using adopted d where k.org_id = ${scope.orgId} and k.account_id = d.id)
    select id from adopted`;

/** How well the username of a record fits what the task sent: it is the one sent, or the part of the email before the @. */
const fit = (username: RawBuilder<unknown>) => sql`case
  when ${username} = '' then 0 when name_key(${username}) = name_key(r.username) then 2
  when name_key(${username}) = name_key(split_part(r.email, '@', 1)) then 1 else 0 end`;

/**
 * Stores the candidates among the accounts that the publication inserted: those that fit a pending account, and those that fit an
 * account better than the record that has taken it over.
 */
export async function addCandidates(
  tx: OrgTx,
  scope: Scope,
  changed: typeof changedAccount,
  expected: Expected,
): Promise<void> {
  if (!expected.awaited && !expected.improvable) return;
  const { orgId, appId } = scope;
  const better = (join: RawBuilder<unknown>) => sql`
    select r.account_id, c.id from inserted c
    join account_correlation r on r.org_id = ${orgId} and r.app_id = ${appId} and ${join}
    join account a on a.org_id = ${orgId} and a.id = r.account_id and a.external_id is not null and a.removed_at is null
    where ${fit(sql`c.username`)} > ${fit(sql`a.username`)}`;
  await run(tx)`
    with inserted as materialized (
      select a.id, ${emailKey(sql`a.email`)} as email, a.username
      from ${rowsOf(scope, changed)} n join account a on a.org_id = ${orgId} and a.id = n.account_id
      where n.old_status is null
    ), awaited as materialized ${awaited(scope)}, by_email as (
      select w.id as account_id, c.id from inserted c join awaited w on w.email = c.email and c.email <> ''
    ), by_username as (
      select w.id as account_id, c.id from inserted c join awaited w on w.username = name_key(c.username) and c.username <> ''
      where not exists (select from by_email b where b.id = c.id)
    )
    insert into account_candidate (org_id, account_id, candidate_id)
    select ${orgId}::uuid, f.account_id, f.id from (
      select * from by_email union select * from by_username
      union ${better(sql`${emailKey(sql`r.email`)} = c.email and c.email <> ''`)}
      union ${better(sql`name_key(r.username) = name_key(c.username) and c.username <> '' and c.email = ''`)}
    ) f
    on conflict do nothing`;
}

/**
 * Returns the pending accounts that a candidate takes over when a session completes, each with that candidate: it has the username
 * that the task sent, or it is the only record that fits and an earlier session knew it, unless nothing speaks against it at all.
 */
export const findLateAdoptions = (tx: OrgTx, scope: Scope, startedAt: StartedAt) => many<Merge>(tx)`
    with ${claimsOf(scope, sql`claims as (${earlierClaims(scope)})`)}
    select account_id, candidate_id as duplicate_id from claim
    where wins or is_alone and (not differs or known_since < ${startedAt})
    order by 1`;

/** Remembers what the task sent for accounts that are about to be taken over by candidates with another username. */
export async function rememberSent(tx: OrgTx, scope: Scope, merges: readonly Merge[]): Promise<void> {
  const { orgId } = scope;
  const taken = sql`(
    select a.id, a.email as sent_email, a.username as sent_username
    from unnest(${merges.map((one) => one.account_id)}::uuid[], ${merges.map((one) => one.duplicate_id)}::uuid[])
      as m (account_id, duplicate_id)
    join account a on a.org_id = ${orgId} and a.id = m.account_id
    join account c on c.org_id = ${orgId} and c.id = m.duplicate_id
    where a.username = '' or name_key(a.username) <> name_key(c.username)) as taken`;
  await remember(scope, taken).execute(tx);
}
