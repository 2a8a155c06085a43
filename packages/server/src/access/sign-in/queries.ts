import { sql } from 'kysely';
import type { Role } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';

export interface Organization {
  id: string;
  slug: string;
  name: string;
  sign_in_secret: string;
}

export async function findOrganization(db: Db, slug: string): Promise<Organization | undefined> {
  const { rows } = await sql<Organization>`
    select id, slug, name, sign_in_secret from organization where slug = ${slug}`.execute(db);
  return rows[0];
}

export interface Provider {
  id: string;
  name: string;
  type: 'oidc' | 'saml';
}

/** What a sign-in page offers. */
export async function listProviders(db: Db, orgId: string): Promise<Provider[]> {
  const { rows } = await sql<Provider>`
    select provider_id as id, coalesce(nullif(name, ''), provider_id) as name,
      case when oidc_config is null then 'saml' else 'oidc' end as type
    from sign_in_provider where org_id = ${orgId} order by 2, 1`.execute(db);
  return rows;
}

// Sessions ----------------------------------------------------------------------------------------------------------

export interface SessionRow {
  session_id: string;
  org_id: string;
  org_slug: string;
  user_id: string;
  role: Role;
  /** Used for the last time a while ago. */
  stale: boolean;
}

/** Who is signed in with this secret. Every factor was shown, it has not expired, and the person is active. */
export async function findLiveSession(db: Db, tokenHash: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select s.id as session_id, s.org_id, o.slug as org_slug, u.id as user_id, u.role,
      s.updated_at < now() - interval '5 minutes' as stale
    from sign_in_session s
    join organization o on o.id = s.org_id
    join platform_user u on u.org_id = s.org_id and u.id = s.user_id and u.status = 'active'
    where s.token = ${tokenHash} and s.signed_in_at is not null and s.expires_at > now()`.execute(db);
  return rows[0];
}

export async function touchSession(
  db: Db,
  orgId: string,
  sessionId: string,
  idleHours: number,
  maxSeconds: number,
): Promise<void> {
  await sql`
    update sign_in_session set updated_at = now(),
      expires_at = least(signed_in_at + ${maxSeconds} * interval '1 second', now() + ${idleHours} * interval '1 hour')
    where org_id = ${orgId} and id = ${sessionId}`.execute(db);
}

export interface SignIn {
  method: string;
  provider: string | null;
  second_factor: boolean;
}

/** The session is one from now on. Answers whose; undefined where it was one already. */
export async function beginSession(
  tx: Tx,
  orgId: string,
  tokenHash: string,
  { method, provider, second_factor }: SignIn,
  idleHours: number,
): Promise<{ id: string; user_id: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; user_id: string; email: string }>`
    update sign_in_session s set signed_in_at = now(), updated_at = now(), method = ${method}, provider = ${provider},
      second_factor = ${second_factor}, expires_at = now() + ${idleHours} * interval '1 hour'
    from platform_user u
    where s.org_id = ${orgId} and s.token = ${tokenHash} and s.signed_in_at is null
      and u.org_id = s.org_id and u.id = s.user_id and u.status = 'active'
    returning s.id, s.user_id, u.email`.execute(tx);
  return rows[0];
}

/** better-auth made a new secret for a session that goes on: what it was stays true of it, its id too. */
export async function continueSession(
  db: Tx,
  orgId: string,
  tokenHash: string,
  before: Session,
): Promise<void> {
  await sql`
    update sign_in_session set id = ${before.id}, signed_in_at = ${before.created_at}, expires_at = ${before.expires_at},
      method = ${before.method}, provider = ${before.provider}, second_factor = ${before.second_factor}
    where org_id = ${orgId} and token = ${tokenHash} and signed_in_at is null`.execute(db);
}

export interface Session {
  id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  method: string;
  provider: string | null;
  second_factor: boolean;
  ip: string | null;
  user_agent: string | null;
}

export async function listSessions(db: Db, orgId: string, userId: string): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select id, signed_in_at as created_at, updated_at as last_used_at, expires_at, method, provider, second_factor,
      ip_address as ip, user_agent
    from sign_in_session
    where org_id = ${orgId} and user_id = ${userId} and signed_in_at is not null and expires_at > now()
    order by updated_at desc, id`.execute(db);
  return rows;
}

export interface EndedSession {
  id: string;
  user_id: string;
  email: string;
  method: string | null;
  signed_in_at: Date;
  expires_at: Date;
}

const ended = sql`s.id, s.user_id, u.email, s.method, s.signed_in_at, s.expires_at`;

/** Of these people's sessions, all but `kept`, or the one with `only`. */
export async function deleteSessions(
  tx: Tx,
  orgId: string,
  userIds: string[],
  { only = null, kept = null }: { only?: string | null; kept?: string | null } = {},
): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    delete from sign_in_session s using platform_user u
    where s.org_id = ${orgId} and s.user_id = any(${userIds}::uuid[])
      and (${only}::uuid is null or s.id = ${only}) and (${kept}::uuid is null or s.id <> ${kept})
      and u.org_id = s.org_id and u.id = s.user_id
    returning ${ended}`.execute(tx);
  return rows.filter(({ signed_in_at }) => signed_in_at !== null);
}

/** Organizations that have sessions past their time. */
export async function organizationsWithExpired(db: Db): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    select distinct org_id from sign_in_session where expires_at <= now()`.execute(db);
  return rows.map(({ org_id }) => org_id);
}

export async function deleteExpired(tx: Tx, orgId: string, limit: number): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    delete from sign_in_session s using platform_user u
    where s.org_id = ${orgId} and u.org_id = s.org_id and u.id = s.user_id and s.id in (
      select id from sign_in_session where org_id = ${orgId} and expires_at <= now()
      order by expires_at limit ${limit} for update skip locked)
    returning ${ended}`.execute(tx);
  return rows;
}

/** What nobody can use any more. */
export async function sweep(db: Db, windowSeconds: number): Promise<void> {
  await sql`delete from sign_in_verification where expires_at < now()`.execute(db);
  await sql`
    delete from sign_in_attempt
    where since < now() - ${windowSeconds} * interval '1 second' and (blocked_until is null or blocked_until < now())`.execute(
    db,
  );
}

// Passwords and one-time links -----------------------------------------------------------------------------------------

export async function setPassword(tx: Tx, orgId: string, userId: string, hash: string): Promise<void> {
  await sql`
    insert into sign_in_account (org_id, user_id, provider_id, account_id, password)
    values (${orgId}, ${userId}, 'credential', ${userId}, ${hash})
    on conflict (org_id, provider_id, account_id) do update set password = excluded.password, updated_at = now()`.execute(
    tx,
  );
}

export async function findPassword(db: Db, orgId: string, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ password: string }>`
    select password from sign_in_account
    where org_id = ${orgId} and user_id = ${userId} and provider_id = 'credential' and password is not null`.execute(
    db,
  );
  return rows[0]?.password;
}

/** Of an address as somebody typed it, the active person. */
export async function findByEmail(db: Db, orgId: string, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user
    where org_id = ${orgId} and lower(email) = lower(${email}) and status = 'active'`.execute(db);
  return rows[0];
}

/** Replaces what the same person was given before: only the last link works. */
export async function insertLink(
  tx: Tx,
  orgId: string,
  userId: string,
  identifier: string,
  expiresAt: Date,
): Promise<void> {
  await sql`
    delete from sign_in_verification
    where org_id = ${orgId} and value = ${userId} and starts_with(identifier, 'link:')`.execute(tx);
  await sql`
    insert into sign_in_verification (org_id, identifier, value, expires_at)
    values (${orgId}, ${identifier}, ${userId}, ${expiresAt})`.execute(tx);
}

/** Whose link it was. It works once. */
export async function takeLink(
  tx: Tx,
  orgId: string,
  identifier: string,
): Promise<{ id: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; email: string }>`
    delete from sign_in_verification v using platform_user u
    where v.org_id = ${orgId} and v.identifier = ${identifier} and v.expires_at > now()
      and u.org_id = v.org_id and u.id::text = v.value and u.status = 'active'
    returning u.id, u.email`.execute(tx);
  return rows[0];
}

// Attempts ------------------------------------------------------------------------------------------------------------

export interface Attempts {
  failures: number;
  /** Seconds until the address may try again; null: it may. */
  blocked_for: number | null;
}

/** Counts an attempt as failed until it is known to have succeeded, so that many at once are counted too. */
export async function countAttempt(
  db: Db,
  orgId: string,
  ip: string,
  windowSeconds: number,
): Promise<Attempts> {
  const { rows } = await sql<Attempts>`
    insert into sign_in_attempt as a (org_id, ip, failures) values (${orgId}, ${ip}, 1)
    on conflict (org_id, ip) do update set
      failures = case
        when a.blocked_until > now() then a.failures
        when a.blocked_until is not null or a.since < now() - ${windowSeconds} * interval '1 second' then 1
        else a.failures + 1 end,
      since = case
        when a.blocked_until <= now() or a.since < now() - ${windowSeconds} * interval '1 second' then now()
        else a.since end,
      blocked_until = case when a.blocked_until > now() then a.blocked_until end
    returning failures, ceil(extract(epoch from blocked_until - now()))::integer as blocked_for`.execute(db);
  return rows[0] as Attempts;
}

/** Seconds until the address may try again; null: it may. */
export async function blockedFor(db: Db, orgId: string, ip: string): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from blocked_until - now()))::integer as seconds from sign_in_attempt
    where org_id = ${orgId} and ip = ${ip} and blocked_until > now()`.execute(db);
  return rows[0]?.seconds ?? null;
}

/** It did not fail: it does not count. */
export async function forgiveAttempt(db: Db, orgId: string, ip: string): Promise<void> {
  await sql`
    update sign_in_attempt set failures = greatest(failures - 1, 0)
    where org_id = ${orgId} and ip = ${ip} and (blocked_until is null or blocked_until <= now())`.execute(db);
}

/** Answers until when, to the one who blocked it. */
export async function blockAddress(
  tx: Tx,
  orgId: string,
  ip: string,
  seconds: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ blocked_until: Date }>`
    update sign_in_attempt set blocked_until = now() + ${seconds} * interval '1 second'
    where org_id = ${orgId} and ip = ${ip} and (blocked_until is null or blocked_until <= now())
    returning blocked_until`.execute(tx);
  return rows[0]?.blocked_until;
}

// Second factors ------------------------------------------------------------------------------------------------------

export interface SecondFactor {
  /** Encrypted with the organization's secret. */
  secret: string;
  /** It counts: the person has shown a first code. */
  verified: boolean;
}

export async function findSecondFactor(
  db: Db,
  orgId: string,
  userId: string,
): Promise<SecondFactor | undefined> {
  const { rows } = await sql<SecondFactor>`
    select secret, verified from sign_in_two_factor
    where org_id = ${orgId} and user_id = ${userId}`.execute(db);
  return rows[0];
}

/** Answers false where a code of this step or of a later one was accepted before. */
export async function claimStep(db: Db, orgId: string, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_two_factor set last_step = ${step}
    where org_id = ${orgId} and user_id = ${userId} and (last_step is null or last_step < ${step})
    returning id`.execute(db);
  return rows.length > 0;
}

/** Answers whether there was one. */
export async function deleteSecondFactor(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  await sql`
    update platform_user set two_factor_enabled = false
    where org_id = ${orgId} and id = ${userId} and two_factor_enabled`.execute(tx);
  const { rows } = await sql<{ verified: boolean }>`
    delete from sign_in_two_factor where org_id = ${orgId} and user_id = ${userId} returning verified`.execute(
    tx,
  );
  return rows[0]?.verified ?? false;
}

// Passkeys ------------------------------------------------------------------------------------------------------------

export interface Passkey {
  id: string;
  name: string;
  created_at: Date;
  /** It is on more than one device, as its keeper says. */
  backed_up: boolean;
}

export async function listPasskeys(db: Db, orgId: string, userId: string): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`
    select id, coalesce(name, '') as name, created_at, backed_up from sign_in_passkey
    where org_id = ${orgId} and user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}

/** Of whoever may still sign in. */
export async function findPasskeyOwner(
  db: Db,
  orgId: string,
  credentialId: string,
): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from sign_in_passkey p
    join platform_user u on u.org_id = p.org_id and u.id = p.user_id and u.status = 'active'
    where p.org_id = ${orgId} and p.credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

export async function deletePasskey(
  tx: Tx,
  orgId: string,
  userId: string,
  passkeyId: string,
): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from sign_in_passkey where org_id = ${orgId} and user_id = ${userId} and id = ${passkeyId}
    returning coalesce(name, '') as name`.execute(tx);
  return rows[0];
}
