import { createHash, randomBytes } from 'node:crypto';
import { recordMeans } from '#directory/means/means.ts';
import { hasEnded, hasNotStarted, workingDaysOf } from '#directory/people/facts.ts';
import { isSampleEmail } from '#directory/people/sample-emails.ts';
import { type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { type DomainError, StartError } from '#kit/errors.ts';
import {
  type Call,
  findIdentity,
  findIdentityByEmail,
  identityOf,
  type PersonIdentity,
  type RequestCause,
  SYSTEM,
} from '#kit/identity.ts';
import { recordAlone, recordEvents } from '#log/events/record.ts';
import type { SignInContext } from '../auth/context.ts';
import { hashPassword } from '../auth/password-hash.ts';
import { requireStrongPassword } from '../auth/password-policy.ts';
import { signInRefusals } from '../sentences.ts';
import { LINK_ROLES, mayManageSignIn, requireMayManageSignIn } from '../sessions/permission.ts';
import { deleteSessions } from '../sessions/sessions.ts';
import { attemptFactor } from '../visit/attempts.ts';
import type { Visit } from '../visit/visit.ts';
import { deletePasskeys } from './queries/passkeys.ts';
import * as queries from './queries/passwords.ts';
import { removeFactors } from './second-factor.ts';
import { factorRemoved, passwordChanged, type SignInCause, signInChanged } from './sign-in-change.ts';

const LINK_HOURS = 72;

/** A link on a terminal is for somebody who is waiting for it. */
const OPERATOR_LINK_HOURS = 1;

/** The person at the operator's command line. */
const BY_OPERATOR: SignInCause = {
  actor: { type: 'platform_admin', uuid: null },
  source: { type: 'system', uuid: null },
};

export interface PasswordLink {
  token: string;
  expires_at: Date;
}

/**
 * Creates a one-time link with which a person sets their password, for an administrator to pass on. It replaces the
 * person's earlier links. The log records that it was created; only the response has its secret.
 */
export async function createPasswordLink(
  call: Call,
  userId: string,
  isConfirmed = false,
): Promise<PasswordLink> {
  const person = await personForLink(call, userId, isConfirmed);
  return transaction(call, async (tx) => {
    await recordMeans(tx, 'sign_in_link', person.id);
    return mintLink(tx, person, call.cause);
  });
}

/**
 * Requests that a sign-in link is emailed to a person. Only the event is stored: the notification that follows it mints the
 * link right before it is sent.
 */
export async function requestPasswordLink(
  call: Call,
  userId: string,
  isConfirmed = false,
): Promise<{ email: string }> {
  const { id, email } = await personForLink(call, userId, isConfirmed);
  await recordAlone(call, [
    {
      type: 'password.link_requested',
      actor: call.cause.actor,
      subject: { type: 'platform_user', uuid: id },
      source: call.cause.source,
      payload: { user_id: id, email },
    },
  ]);
  return { email };
}

/**
 * Creates a sign-in link for an owner, for the operator of an organization in which nobody else can. With `removesFactors`, also removes
 * the second factor and the passkeys of the owner, and ends their sessions. Throws StartError for everybody else: an owner or an
 * administrator helps them.
 */
export async function createOwnerLink(
  db: OrgDb,
  email: string,
  { isConfirmed = false, removesFactors = false } = {},
): Promise<PasswordLink> {
  return transaction(db, async (tx) => {
    const found = await findIdentityByEmail(tx, email);
    if (found === undefined) throw new StartError(`Nobody in the organization has the email ${email}.`);
    await queries.lockPeople(tx, [found.id]);
    const person = (await findIdentity(tx, found.id)) as PersonIdentity;
    if (person.role !== 'owner')
      throw new StartError(
        `${email} is not an owner. An owner or administrator creates the link in the console, on the page of the person.`,
      );
    if (person.status !== 'active')
      throw new StartError(
        `${email} is deactivated and cannot sign in. An owner or administrator reactivates them first, in the console on the page of the person.`,
      );
    if (!isConfirmed && (await outsideDays(tx, person)) !== undefined)
      throw new StartError(
        `${email} has not started yet, or the last day has passed. Add --force if the link is intended.`,
      );
    if (removesFactors) await removeFactors(tx, person, BY_OPERATOR);
    return mintLink(tx, person, BY_OPERATOR, OPERATOR_LINK_HOURS);
  });
}

/** A request for an emailed link, as its event has it. */
export interface LinkRequest {
  userId: string;
  /** The person's address at that time. */
  email: string;
  requestedBy: string;
}

/**
 * Creates the link that was requested for a person. Returns the reason instead if the request would now be refused, or if
 * the person's address is another one. Its rules are those of the request.
 */
export async function mintRequestedLink(
  db: OrgDb,
  { userId, email, requestedBy }: LinkRequest,
): Promise<PasswordLink | { reason: string }> {
  return transaction(db, async (tx) => {
    await queries.lockPeople(tx, [userId, requestedBy]);
    const person = await findIdentity(tx, userId);
    const requester = await findIdentity(tx, requestedBy);
    if (person?.status !== 'active') return { reason: 'The person is deactivated.' };
    if (person.email !== email)
      return { reason: 'The address of the person has changed since. Send another link.' };
    if (requester?.status !== 'active' || !(await mayEmailLink(tx, requester, person)))
      return { reason: 'The person who asked for the link may no longer send it.' };
    // Only an owner could confirm the request.
    if (requester.role !== 'owner' && (await outsideDays(tx, person)) !== undefined)
      return { reason: 'The person has not started or has left.' };
    return mintLink(tx, person, { actor: SYSTEM, source: { type: 'system', uuid: null } });
  });
}

const mayEmailLink = async (tx: OrgTx, requester: PersonIdentity, person: PersonIdentity) =>
  LINK_ROLES.includes(requester.role) && (await mayManageSignIn(tx, requester, person));

/**
 * Returns the person. Throws 403 if the caller may not manage how they sign in, 400 if they are deactivated, and 409 if they have not started
 * or their last day has passed, unless an owner confirms it (D85).
 */
async function personForLink(call: Call, userId: string, isConfirmed: boolean): Promise<PersonIdentity> {
  const person = await identityOf(call, userId);
  await requireMayManageSignIn(call, person);
  if (person.status !== 'active') throw signInRefusals.person_deactivated();
  if (isSampleEmail(person.email)) throw signInRefusals.sample_person_cannot_sign_in({ email: person.email });
  const refusal =
    isConfirmed && call.principal.role === 'owner' ? undefined : await outsideDays(call, person);
  if (refusal !== undefined) throw refusal;
  return person;
}

/** Returns why somebody gets no link on a day before their first or after their last one. */
async function outsideDays(db: OrgDb, { id, email }: PersonIdentity): Promise<DomainError | undefined> {
  const days = await workingDaysOf(db, id);
  if (days === undefined) return undefined;
  if (hasEnded(days)) return signInRefusals.link_after_last_day({ email, day: String(days.end_date) });
  return hasNotStarted(days)
    ? signInRefusals.link_before_first_day({ email, day: String(days.start_date) })
    : undefined;
}

async function mintLink(
  tx: OrgTx,
  person: PersonIdentity,
  { actor, source }: SignInCause,
  hours = LINK_HOURS,
): Promise<PasswordLink> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(Date.now() + hours * 3_600_000);
  await queries.replaceLink(tx, person.id, identifierOf(token), expires_at);
  const change = { field: 'sign_in_link', from: null, to: expires_at.toISOString() };
  const cause = { actor, source };
  await recordEvents(tx, [
    signInChanged(cause, person, change),
    {
      type: 'password.link_created',
      ...cause,
      subject: { type: 'platform_user', uuid: person.id },
      payload: { user_id: person.id, email: person.email, expires_at: expires_at.toISOString() },
    },
  ]);
  return { token, expires_at };
}

/**
 * Sets the password of the link's person. Ends their sessions and removes their passkeys, since a stranger may have
 * added one. Throws 401 for an invalid link, and 400 for a weak password, which leaves the link valid.
 */
export async function setPasswordWithLink(
  { db }: SignInContext,
  visit: Visit,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const orgId = visit.organization.id;
  return attemptFactor(db, visit, { method: 'link', identifier: null }, async () => {
    const person = await queries.findLinkOwner(within(db, orgId), identifierOf(token));
    if (person === undefined) throw invalidLink();
    await requireStrongPassword(password, person, visit.organization);
    const hash = await hashPassword(password);
    await transaction(within(db, orgId), async (tx) => {
      if (!(await queries.consumeLink(tx, identifierOf(token)))) throw invalidLink();
      await queries.setPassword(tx, person.id, hash);
      const cause: RequestCause = {
        actor: { type: 'user', uuid: person.id, ip: visit.ip, user_agent: visit.userAgent },
        source: { type: 'user_action', uuid: null },
      };
      const removed = await deletePasskeys(tx, person.id);
      const ended = await deleteSessions(tx, person.id, cause.actor);
      await recordEvents(tx, [
        passwordChanged(cause, person, 'link'),
        ...removed.flatMap(({ name }) => factorRemoved(cause, person, { kind: 'passkey', name })),
        ...ended,
      ]);
    });
    return { email: person.email };
  });
}

const invalidLink = () => signInRefusals.link_invalid();

const identifierOf = (token: string) => `link:${createHash('sha256').update(token).digest('hex')}`;
