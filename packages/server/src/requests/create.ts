import { adminAppOf } from '../apps/admin.ts';
import { accessibleApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import { instantForSql } from '../platform/instants.ts';
import { type EntitlementRefs, entitlementIds, lockAccountOf } from '../provisioning/create.ts';
import { ticketEvent } from './events.ts';
import { endingsOf } from './grant.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import { labelOf, type Ticket, type TicketType } from './ticket.ts';

/** Governance.md, "Requests". */
export interface TicketRequest {
  app: string;
  user: string;
  /** Null: who calls. */
  requester: string | null;
  type: TicketType;
  memberships: EntitlementRefs;
  assignments: EntitlementRefs;
  /** ISO 8601; null: once it is approved. */
  startTime: string | null;
  /** ISO 8601; null: for good. */
  endTime: string | null;
  comment: string;
}

/**
 * Asks for access. 404 for an unknown app, user or requester, 403 for a requester whom only an administrator may
 * name, 422 for an unknown slug or id, 409 for what makes no sense as things are. The way to the decision is the
 * app's as it is now: later changes of the app's route do not touch it.
 */
export async function createTicket(
  db: Db,
  principal: Principal,
  request: TicketRequest,
  cause: Cause,
): Promise<string> {
  const { orgId } = principal;
  const requester = requesterOf(principal, request);
  refuseImpossibleTimes(request);
  const { id: appId } = await accessibleApp(db, principal, request.app);
  const user = request.user.toLowerCase();
  return transaction(db, async (tx) => {
    const email = await requireActive(tx, orgId, { user, requester });
    const accountId = await lockAccountOf(tx, orgId, appId, user);
    const app = await adminAppOf(tx, orgId, appId);
    const wanted = [
      ...(await entitlementIds(tx, orgId, appId, request.memberships, { type: 'group' })),
      ...(await entitlementIds(tx, orgId, appId, request.assignments, { type: 'license' })),
    ];
    await requireSense(tx, orgId, request, accountId, wanted);
    const number = await queries.nextNumber(tx, orgId);
    const id = await queries.insertTicket(
      tx,
      orgId,
      {
        number,
        label: labelOf(number, request.type, app.name, email),
        type: request.type,
        app_id: appId,
        user_id: user,
        requester_id: requester,
        created_by: principal.userId,
        account_id: accountId ?? null,
        start_time: request.startTime === null ? null : instantForSql(request.startTime),
        end_time: request.endTime === null ? null : instantForSql(request.endTime),
        initial_comment: request.comment,
        steps: app.approval_steps,
        fallback_approvers: app.fallback_approvers,
      },
      wanted,
    );
    const ticket = (await views.findTicket(tx, orgId, id)) as Ticket;
    const { initial_comment: comment, start_time, end_time } = ticket;
    await recordEvents(tx, orgId, [
      ticketEvent(ticket, cause, 'ticket.created', { comment, start_time, end_time }),
    ]);
    return id;
  });
}

/** D8; an administrator files for someone. */
function requesterOf({ userId, role }: Principal, { requester }: TicketRequest): string {
  const named = requester?.toLowerCase() ?? userId;
  if (named !== userId && role !== 'owner' && role !== 'admin')
    throw forbidden('Only an administrator may file a request in the name of somebody else.');
  return named;
}

function refuseImpossibleTimes({ type, startTime, endTime }: TicketRequest) {
  const [start, end] = [startTime, endTime].map((text) =>
    text === null ? null : Date.parse(instantForSql(text)),
  );
  if (type === 'EXTEND_ACCESS' && end == null)
    throw invalid('Field required (end_time): EXTEND_ACCESS moves the end of access.');
  if (type === 'EXTEND_ACCESS' && start != null)
    throw invalid('EXTEND_ACCESS has no start_time: the access has begun.');
  if (end == null) return;
  if (end <= Date.now()) throw invalid('end_time lies in the past.');
  if (start != null && end <= start) throw invalid('end_time lies before start_time.');
}

/** Neither leaves before the ticket is there to be canceled with them. Answers the user's email. */
async function requireActive(
  tx: Tx,
  orgId: string,
  { user, requester }: { user: string; requester: string },
): Promise<string> {
  const people = await queries.holdPeople(tx, orgId, [user, requester]);
  for (const id of [user, requester]) {
    const person = people.get(id);
    if (person === undefined) throw notFound(id === user ? 'User' : 'Requester');
    if (person.status !== 'active') throw conflict(`${person.email} is deactivated.`);
  }
  return people.get(user)?.email ?? '';
}

async function requireSense(
  tx: Tx,
  orgId: string,
  { type, endTime }: TicketRequest,
  accountId: string | undefined,
  wanted: string[],
): Promise<void> {
  if (type === 'NEW_ACCESS') return;
  if (accountId === undefined) throw conflict('The user has no account in this app; ask for NEW_ACCESS.');
  if (type === 'MODIFY_ACCESS') {
    if (wanted.length === 0) throw invalid('MODIFY_ACCESS needs memberships or assignments.');
    return;
  }
  const until = new Date(instantForSql(endTime ?? ''));
  const endings = await endingsOf(tx, orgId, accountId);
  if (!endings.some(({ task, moves }) => task.execute_after < until && moves(wanted)))
    throw conflict('No approved access of this account ends before that: there is nothing to extend.');
}
