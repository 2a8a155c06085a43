import { isDeepStrictEqual } from 'node:util';
import { hasEnded, workingDaysOf } from '#directory/people/facts.ts';
import { adminAppOf } from '#inventory/apps/admin.ts';
import type { AdminApp } from '#inventory/apps/app.ts';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { holdApps } from '#inventory/apps/facts.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import { invalidInput, notFound } from '#kit/errors.ts';
import { type Call, localTime, type Principal } from '#kit/identity.ts';
import { momentIn, requireNear } from '#kit/instants.ts';
import { issue } from '#kit/issues.ts';
import { recordEvents } from '#log/events/record.ts';
import { temporaryAccess } from '#reasons/grants/temporary.ts';
import { type EntitlementRefs, entitlementIds, lockMainAccount } from '#work/provisioning/create.ts';
import { requireBeneficiary } from './beneficiary.ts';
import { extendedBy } from './endings.ts';
import { ticketEvent } from './events.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import { requestRefusals, requestSentences } from './sentences.ts';
import { labelOf, type Ticket } from './ticket.ts';
import type { TicketType } from './ticket-schemas.ts';
import { requireAccessibleTicket, type TicketDetails, ticketDetails } from './tickets.ts';

/** A request for access as its requester submits it (protocol 13). */
export interface TicketRequest {
  /** The id that the ticket gets. Null: a new one. */
  id: string | null;
  app: string;
  user: string;
  /** Null: the caller. */
  requester: string | null;
  type: TicketType;
  memberships: EntitlementRefs;
  assignments: EntitlementRefs;
  /** ISO 8601, or a day in the organization's time zone. Null: as soon as it is approved. */
  startTime: string | null;
  /** A date or a time, like `startTime`; a day includes its last moment. Null: permanent access. */
  endTime: string | null;
  comment: string;
}

/**
 * Creates a ticket. A request that was already sent with the same id returns its ticket. 404 for an unknown app, user or
 * requester; 403 if the caller names another requester without being an administrator; 422 for an unknown slug or id; 409 if
 * the request does not apply to the user's current access. The ticket keeps a copy of the app's approval steps: later
 * changes to the app do not affect it.
 */
export async function createTicket(call: Call, sentRequest: TicketRequest): Promise<TicketDetails> {
  const requester = requesterOf(call.principal, sentRequest);
  requirePossibleId(sentRequest);
  const request = await withMoments(call, sentRequest);
  const { id: appId } = await accessibleApp(call.db, call.principal, request.app);
  const { id: user } = await requireBeneficiary(call, request.user);
  const id = await transaction(call, async (tx) => {
    // Before the people, in the order of locks.
    await holdApps(tx, [appId]);
    const email = await requireActivePeople(tx, { user, requester, endTime: request.endTime });
    const earlier = request.id === null ? undefined : await views.findTicket(tx, request.id);
    if (earlier !== undefined) {
      requireSame(earlier, call.principal, { ...request, user, requester });
      await requireAccessibleTicket(tx, earlier.id);
      return earlier.id;
    }
    const account = await lockMainAccount(tx, appId, user);
    const app = await adminAppOf(tx, appId);
    const entitlements = [
      ...(await entitlementIds(tx, appId, request.memberships, { type: 'group' })),
      ...(await entitlementIds(tx, appId, request.assignments, { type: 'license' })),
    ];
    await requireApplicable(tx, request, account?.live ? account.id : undefined, entitlements);
    const number = await queries.nextNumber(tx);
    const people = { user_id: user, requester_id: requester, created_by: call.principal.userId };
    const label = labelOf(number, request.type, app.name, email).text;
    const accountId = account?.id ?? null;
    const reservedId = accountId === null ? await queries.reservedAccountId(tx, appId, user) : null;
    const row = {
      ...{ number, label, ...people, ...frozen(app), ...sent(request) },
      account_id: accountId,
      reserved_account_id: reservedId,
    };
    const created = await queries.insertTicket(tx, row, entitlements, request.id);
    if (created === undefined) throw idIsTaken();
    const ticket = (await views.findTicket(tx, created)) as Ticket;
    const { initial_comment: comment, start_time, end_time } = ticket;
    await recordEvents(tx, [
      ticketEvent(ticket, call.cause, 'ticket.created', { comment, start_time, end_time }),
    ]);
    return created;
  });
  return ticketDetails(call, id);
}

/** Throws 409 unless the same request created this ticket before. */
function requireSame(earlier: Ticket, { userId }: Principal, request: TicketRequest): void {
  const isSame =
    earlier.created_by.external_uuid === userId &&
    earlier.user.external_uuid === request.user &&
    earlier.requester.external_uuid === request.requester &&
    earlier.app_id === request.app.toLowerCase() &&
    earlier.type === request.type &&
    earlier.initial_comment === request.comment &&
    isSameTime(earlier.start_time, request.startTime) &&
    isSameTime(earlier.end_time, request.endTime) &&
    isDeepStrictEqual(idsIn(earlier.memberships), sorted(request.memberships)) &&
    isDeepStrictEqual(idsIn(earlier.assignments), sorted(request.assignments));
  if (!isSame) throw idIsTaken();
}

const DAY_MS = 86_400_000;

/** Up to a day may lie between the times: a client that retries may count "in 7 days" from now again. */
function isSameTime(earlier: Date | null, text: string | null): boolean {
  if (earlier === null || text === null) return earlier === null && text === null;
  return Math.abs(earlier.getTime() - Date.parse(text)) <= DAY_MS;
}

/** Queries use the nil UUID for a ticket that does not exist. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

function requirePossibleId({ id }: TicketRequest) {
  if (id !== NIL_ID) return;
  const issues = [issue('external_uuid', 'invalid', requestSentences.should_not_be_nil())];
  throw invalidInput(issues);
}

const idIsTaken = () => requestRefusals.request_id_taken();

const sorted = (refs: EntitlementRefs) =>
  Object.entries(refs)
    .flatMap(([slug, ids]) => [...new Set(ids)].map((id) => `${slug}/${id}`))
    .sort();
const idsIn = (refs: Ticket['memberships']) =>
  sorted(Object.fromEntries(Object.entries(refs).map(([slug, all]) => [slug, all.map(({ id }) => id)])));

/** The settings that a new ticket copies from the app. */
export const frozen = ({ id, approval_steps, fallback_approvers }: AdminApp) => ({
  app_id: id,
  steps: approval_steps,
  fallback_approvers,
});

const sent = ({ type, startTime, endTime, comment }: TicketRequest) => ({
  type,
  start_time: startTime,
  end_time: endTime,
  initial_comment: comment,
});

/** Returns the requester. 403 if the caller names another one without being an administrator. */
export function requesterOf(
  { userId, role }: Principal,
  { requester }: Pick<TicketRequest, 'requester'>,
): string {
  const named = requester?.toLowerCase() ?? userId;
  if (named !== userId && role !== 'owner' && role !== 'admin') throw requestRefusals.submission_for_others();
  return named;
}

/** Returns the request with the moments that its times name in the organization's time zone. Throws 400 for impossible ones. */
async function withMoments(call: Call, request: TicketRequest): Promise<TicketRequest> {
  const time = await localTime(call);
  const startTime = request.startTime === null ? null : momentIn(request.startTime, time.timeZone, 'start');
  const endTime = request.endTime === null ? null : momentIn(request.endTime, time.timeZone, 'end');
  if (startTime !== null) requireNear(startTime, 'start_time', time);
  requirePossibleTimes({ ...request, startTime, endTime }, time.now);
  if (endTime !== null) requireNear(endTime, 'end_time', time);
  return { ...request, startTime, endTime };
}

function requirePossibleTimes({ type, startTime, endTime }: TicketRequest, now: Date) {
  const [start, end] = [startTime, endTime].map((text) => (text === null ? null : Date.parse(text)));
  if (type === 'EXTEND_ACCESS' && end == null) throw requestRefusals.extension_without_end();
  if (type === 'EXTEND_ACCESS' && start != null) throw requestRefusals.extension_with_start();
  if (end == null) return;
  if (end <= now.getTime()) throw requestRefusals.end_not_in_future();
  if (start != null && end <= start) throw requestRefusals.end_not_after_start();
}

/**
 * Throws unless the beneficiary and the requester are active, and the beneficiary works here by then. Locks both until `tx` ends:
 * a deactivation waits until it can cancel this ticket. Returns the beneficiary's email.
 */
async function requireActivePeople(
  tx: OrgTx,
  { user, requester, endTime }: { user: string; requester: string; endTime: string | null },
): Promise<string> {
  const people = await queries.lockStatuses(tx, [user, requester]);
  for (const id of [user, requester]) {
    const person = people.get(id);
    if (person === undefined) throw notFound(id === user ? 'User' : 'Requester');
    if (person.status !== 'active') throw requestRefusals.beneficiary_deactivated({ email: person.email });
  }
  const email = people.get(user)?.email ?? '';
  const days = await workingDaysOf(tx, user);
  if (days !== undefined && hasEnded(days))
    throw requestRefusals.beneficiary_ended({ email, day: String(days.end_date) });
  const first = days?.starts_at?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (endTime !== null && Date.parse(endTime) <= first)
    throw requestRefusals.end_before_first_day({ day: String(days?.start_date) });
  return email;
}

/** Throws if the request cannot apply to the user's current access. */
async function requireApplicable(
  tx: OrgTx,
  { type, endTime }: TicketRequest,
  accountId: string | undefined,
  entitlements: string[],
): Promise<void> {
  if (type === 'NEW_ACCESS') return;
  if (accountId === undefined) throw requestRefusals.person_without_account();
  if (type === 'MODIFY_ACCESS') {
    if (entitlements.length === 0) throw requestRefusals.modification_without_access();
    return;
  }
  const extension = { only: entitlements, to: new Date(endTime ?? '') };
  if (extendedBy(await temporaryAccess(tx, [accountId]), extension).length === 0)
    throw requestRefusals.nothing_to_extend();
}
