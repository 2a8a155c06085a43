import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import { type Role, STEP_UP_MINUTES, type Unproven } from '#kit/identity.ts';
import { many, one, run, sql, value, values } from '#kit/sql.ts';
import type { SignInDetails } from '../method.ts';

export interface LiveSession {
  session_id: string;
  org_id: string;
  org_slug: string;
  user_id: string;
  role: Role;
  /** The factor that the role requires and this session lacks. A provider handles factors by itself. */
  missing_factor: 'any' | 'passkey' | null;
  /** Whether the person proved who they are recently enough for a step-up. */
  recently_confirmed: boolean;
  /** Why a sign-in through a provider proves nothing recent, however often it is repeated. */
  unproven: Unproven | null;
  /** Whether it has not been used for 5 minutes. */
  stale: boolean;
}

const unproven = sql`case when s.provider is not null and s.authenticated_at is null then 'time_unknown'
  when s.asked_again and s.authenticated_at < s.signed_in_at - ${sql.lit(STEP_UP_MINUTES)} * interval '1 minute' then 'not_asked_again' end`;

/**
 * Returns the session with this secret, of an organization or of any, if all factors were verified, it has not expired, its person is active, and the
 * provider through which they signed in still exists and may sign them in.
 */
export const findLiveSession = (db: Db, orgId: string | null, tokenHash: string) => one<LiveSession>(db)`
    select s.id as session_id, s.org_id, o.slug as org_slug, u.id as user_id, u.role,
      case when s.method <> 'password' then null
        when not s.passkey and u.role = any(o.passkey_roles) then 'passkey'
        when not s.second_factor and u.role = any(o.second_factor_roles) then 'any' end as missing_factor,
      coalesce(s.authenticated_at > now() - ${STEP_UP_MINUTES} * interval '1 minute', false) as recently_confirmed,
      ${unproven} as unproven,
      s.updated_at < now() - interval '5 minutes' as stale
    from sign_in_session s
    join organization o on o.id = s.org_id
    join platform_user u on u.org_id = s.org_id and u.id = s.user_id and u.status = 'active'
    where ${orgId === null ? sql`true` : sql`s.org_id = ${orgId}`} and s.token = ${tokenHash} and s.signed_in_at is not null and s.expires_at > now()
      and (s.provider is null or exists (
        select from sign_in_provider p
        where p.org_id = ${orgId === null ? sql`s.org_id` : orgId} and p.provider_id = s.provider
          and (u.role <> 'owner' or p.approved_for_owners_at is not null)))`;

/** Extends a session by `idleHours`, to `maxSeconds` after its start at most. */
export const extendSession = (db: OrgDb, sessionId: string, idleHours: number, maxSeconds: number) => run(db)`
    update sign_in_session set updated_at = now(),
      expires_at = least(seconds_after(signed_in_at, ${maxSeconds}), now() + ${idleHours} * interval '1 hour')
    where org_id = ${db.orgId} and id = ${sessionId}`;

/** The proof of identity with which a session begins. */
export interface SessionProof extends SignInDetails {
  /** When the provider last authenticated the person. Null if it does not say so, and without a provider. */
  providerTime: Date | null;
  /** Whether the provider was asked to authenticate the person again. */
  askedAgain: boolean;
}

/** A session through a provider counts as authenticated at `providerTime`, and never as recently authenticated if that is null. */
const proven = ({ method, provider, second_factor, providerTime, askedAgain }: SessionProof) => sql`
  authenticated_at = case when ${provider}::text is null then now()
    when ${providerTime}::timestamptz is not null then least(now(), ${providerTime}::timestamptz) end,
  asked_again = ${askedAgain}, method = ${method}, provider = ${provider}, second_factor = ${second_factor}`;

export interface StartedSession extends SignInDetails {
  id: string;
  user_id: string;
  email: string;
}

const started = sql`s.id, s.user_id, u.email, s.method, s.provider, s.second_factor`;

/** Marks a session as signed in. Returns undefined if it already was, or if its person is not active. */
export const startSession = (
  tx: OrgTx,
  tokenHash: string,
  proof: SessionProof,
  idleHours: number,
) => one<StartedSession>(tx)`
    update sign_in_session s set signed_in_at = now(), updated_at = now(), ${proven(proof)},
      expires_at = now() + ${idleHours} * interval '1 hour'
    from platform_user u
    where s.org_id = ${tx.orgId} and s.token = ${tokenHash} and s.signed_in_at is null
      and u.org_id = s.org_id and u.id = s.user_id and u.status = 'active'
    returning ${started}`;

/** Returns the person of a session that is not signed in yet. */
export const findPersonOfNew = (db: OrgDb, tokenHash: string) => value<string | undefined>(db)`
    select user_id from sign_in_session
    where org_id = ${db.orgId} and token = ${tokenHash} and signed_in_at is null and expires_at > now()`;

/** Keeps a new session, with its proof, until its person confirms it. */
export const keepWaiting = (db: OrgDb, tokenHash: string, proof: SessionProof, seconds: number) => run(db)`
    update sign_in_session set ${proven(proof)}, expires_at = now() + ${seconds} * interval '1 second'
    where org_id = ${db.orgId} and token = ${tokenHash} and signed_in_at is null`;

/** Marks a session as signed in that waited for its person. Returns undefined if none waits. */
export const startWaiting = (tx: OrgTx, tokenHash: string, idleHours: number) => one<StartedSession>(tx)`
    update sign_in_session s set signed_in_at = now(), updated_at = now(),
      expires_at = now() + ${idleHours} * interval '1 hour'
    from platform_user u
    where s.org_id = ${tx.orgId} and s.token = ${tokenHash} and s.signed_in_at is null and s.method is not null
      and s.expires_at > now() and u.org_id = s.org_id and u.id = s.user_id and u.status = 'active'
    returning ${started}`;

/** Gives the session that better-auth has just created the id and history of the one it replaces. */
export const continueSession = (tx: OrgTx, tokenHash: string, before: KeptSession) => run(tx)`
    update sign_in_session set id = ${before.id}, signed_in_at = ${before.created_at},
      authenticated_at = ${before.authenticated_at}, expires_at = ${before.expires_at},
      method = ${before.method}, provider = ${before.provider}, second_factor = ${before.second_factor},
      passkey = ${before.passkey}, asked_again = ${before.asked_again}
    where org_id = ${tx.orgId} and token = ${tokenHash} and signed_in_at is null`;

export interface Session extends SignInDetails {
  id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ip: string | null;
  user_agent: string | null;
  unproven: Unproven | null;
}

export const listSessions = (db: OrgDb, userId: string) => many<Session>(db)`
    select id, signed_in_at as created_at, updated_at as last_used_at, expires_at, method, provider, second_factor,
      ip_address as ip, user_agent, ${unproven} as unproven
    from sign_in_session s
    where org_id = ${db.orgId} and user_id = ${userId} and signed_in_at is not null and expires_at > now()
    order by updated_at desc, id`;

interface KeptSession extends Omit<Session, 'last_used_at' | 'ip' | 'user_agent' | 'unproven'> {
  /** Null if the provider did not say when the person authenticated. */
  authenticated_at: Date | null;
  /** Whether the person used a passkey in this session. */
  passkey: boolean;
  asked_again: boolean;
}

/** Returns a live session as continueSession needs it. */
export const findSession = (db: OrgDb, sessionId: string) => one<KeptSession>(db)`
    select id, signed_in_at as created_at, authenticated_at, expires_at, method, provider, second_factor, passkey,
      asked_again
    from sign_in_session
    where org_id = ${db.orgId} and id = ${sessionId} and signed_in_at is not null and expires_at > now()`;

/** Notes that the session's person has just proved who they are, and with which factor. */
export const markConfirmed = (db: OrgDb, sessionId: string, by: 'password' | 'totp' | 'passkey') => run(db)`
    update sign_in_session set authenticated_at = now(), second_factor = second_factor or ${by !== 'password'},
      passkey = passkey or ${by === 'passkey'}
    where org_id = ${db.orgId} and id = ${sessionId}`;

/** Sets which factors a person's password sessions count as having passed: all of them, or only the session `only`. */
export const setFactors = (
  db: OrgDb,
  userId: string,
  { second_factor = null, passkey = null }: { second_factor?: boolean | null; passkey?: boolean | null },
  only: string | null = null,
) => run(db)`
    update sign_in_session
    set second_factor = coalesce(${second_factor}, second_factor), passkey = coalesce(${passkey}, passkey)
    where org_id = ${db.orgId} and user_id = ${userId} and method = 'password'
      and (${only}::uuid is null or id = ${only})`;

/** Deletes a session that better-auth has created and that nobody will use. */
export const discardSession = (db: OrgDb, tokenHash: string) => run(db)`
    delete from sign_in_session
    where org_id = ${db.orgId} and token = ${tokenHash} and signed_in_at is null`;

export interface EndedSession {
  id: string;
  user_id: string;
  email: string;
  method: string | null;
  /** Null if the sign-in was not completed. */
  signed_in_at: Date | null;
  expires_at: Date;
}

const ended = sql`s.id, s.user_id, u.email, s.method, s.signed_in_at, s.expires_at`;

/** Deletes these people's sessions: all, only the session `only`, or all except `except`. Returns the signed-in ones. */
export async function deleteSessions(
  tx: OrgTx,
  userIds: string[],
  { only = null, except = null }: { only?: string | null; except?: string | null } = {},
): Promise<EndedSession[]> {
  const rows = await many<EndedSession>(tx)`
    delete from sign_in_session s using platform_user u
    where s.org_id = ${tx.orgId} and s.user_id = any(${userIds}::uuid[])
      and (${only}::uuid is null or s.id = ${only}) and (${except}::uuid is null or s.id <> ${except})
      and u.org_id = s.org_id and u.id = s.user_id
    returning ${ended}`;
  return rows.filter(({ signed_in_at }) => signed_in_at !== null);
}

/** Deletes the sessions of people who signed in through a provider. */
export const deleteProviderSessions = (tx: OrgTx, providerId: string) => many<EndedSession>(tx)`
    delete from sign_in_session s using platform_user u
    where s.org_id = ${tx.orgId} and s.provider = ${providerId} and u.org_id = s.org_id and u.id = s.user_id
    returning ${ended}`;

/** Returns the organizations that have expired sessions. */
export const organizationsWithExpired = (db: Db) =>
  values<string>(everywhere(db))`select distinct org_id from sign_in_session where expires_at <= now()`;

export const deleteExpired = (tx: OrgTx, limit: number) => many<EndedSession>(tx)`
    delete from sign_in_session s using platform_user u
    where s.org_id = ${tx.orgId} and u.org_id = s.org_id and u.id = s.user_id and s.id in (
      select id from sign_in_session where org_id = ${tx.orgId} and expires_at <= now()
      order by expires_at limit ${limit} for update skip locked)
    returning ${ended}`;
