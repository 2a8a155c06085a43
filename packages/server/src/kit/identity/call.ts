import type { FastifyRequest } from 'fastify';
import type { Db, Tx } from '../database/open.ts';
import { type OrgDb, type OrgTx, within } from '../database/organization.ts';
import { causeOf, type RequestCause, sourceOf } from './cause.ts';
import type { Principal } from './principal.ts';

/** A caller's request to an organization: its database, the principal, and the cause that events record. */
export interface Call extends OrgDb {
  principal: Principal;
  cause: RequestCause;
}

/** A call in a transaction. */
export type CallTx = Call & OrgTx;

/** Returns the call that an authenticated request makes. Its statements run in `db`, which may be a replica. */
export const callOf = (db: Db, request: FastifyRequest): Call =>
  callBy(db, request.principal, causeOf(request));

/** Returns a call in another transaction, or for a test. By default, the principal is the cause. */
export function callBy(db: Tx, principal: Principal, cause?: RequestCause): CallTx;
export function callBy(db: Db, principal: Principal, cause?: RequestCause): Call;
export function callBy(db: Db, principal: Principal, cause = causeOfPerson(principal)): Call {
  return { ...within(db, principal.orgId), principal, cause };
}

const causeOfPerson = (principal: Principal): RequestCause => ({
  actor: { type: 'user', uuid: principal.userId },
  source: sourceOf(principal),
});
