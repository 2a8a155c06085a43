import { Type } from 'typebox';
import { AccountStatus } from '../../inventory/routes/schemas.ts';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { ticketContext } from '../context.ts';
import { accessibleTicket, Requested, reading, TicketParams, tags } from './schemas.ts';

const person = {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
};
const TicketContext = Type.Object({
  user: Type.Object({
    ...person,
    status: Type.Enum(['active', 'deactivated']),
    title: Nullable(Type.String()),
    department: Nullable(Type.String()),
    manager: Nullable(Type.Object(person)),
    teammates: Type.Integer({ description: 'The number of other active people with the same manager.' }),
  }),
  account: Nullable(
    Type.Object({
      external_uuid: Uuid,
      status: AccountStatus,
      memberships: Requested,
      assignments: Requested,
      last_seen_at: Nullable(Timestamp),
    }),
  ),
  asked: Type.Array(
    Type.Object({
      slug: Type.String(),
      id: Type.String(),
      teammates: Type.Integer({ description: 'The number of teammates who hold it.' }),
    }),
    { description: 'The requested groups and licenses.' },
  ),
});

export function getTicketContextRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/tickets/:ticket_id/context/',
    {
      config: reading,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: "Get the beneficiary's current access and that of their teammates",
        params: TicketParams,
        response: { 200: TicketContext },
      },
    },
    async ({ principal, params }) => {
      const { user, account, asked } = await ticketContext(db, principal, params.ticket_id);
      return { user, asked, account: account === null ? null : { ...account, external_uuid: account.id } };
    },
  );
}
