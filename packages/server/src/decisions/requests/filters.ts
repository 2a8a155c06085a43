import { Type } from 'typebox';
import type { OrgDb } from '#kit/database.ts';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, flagFilter, sql, type ValuesOf } from '#kit/sql.ts';
import { TICKET_STATUSES, TICKET_TYPES } from './ticket-schemas.ts';
import { awaitingDecisionBy } from './visibility-facts.ts';

/** The caller who asks for tickets: `member` is set if the caller sees only those that concern them. */
export interface Asked extends OrgDb {
  userId: string;
  member: boolean;
}

export const ticketFilters = filters({
  app: filter(Uuid, (app) => sql`t.app_id = ${app}`),
  requester: filter(Uuid, (person) => sql`t.requester_id = ${person}`),
  user: filter(Uuid, (person) => sql`t.user_id = ${person}`),
  ticket_status: filter(Type.Enum([...TICKET_STATUSES]), (status) => sql`t.status = ${status}`),
  type: filter(Type.Enum([...TICKET_TYPES]), (type) => sql`t.type = ${type}`),
  information_requested: filter(
    Type.Boolean({ description: 'true: only tickets whose approver asked for more information.' }),
    (isRequested) =>
      sql`(t.status = 'PENDING' and t.information_requested is not null) = ${isRequested}::boolean`,
  ),
  to_approve: flagFilter(
    { description: 'true: only tickets that await your decision.' },
    ({ userId, ...org }: Asked) => sql`t.id in (${awaitingDecisionBy(org, userId)})`,
  ),
});
export type TicketFilter = ValuesOf<typeof ticketFilters>;
