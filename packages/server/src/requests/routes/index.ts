import type { Http } from '../../platform/http/server.ts';
import { addCommentRoute } from './add-comment.ts';
import { approveTicketRoute } from './approve-ticket.ts';
import { cancelTicketRoute } from './cancel-ticket.ts';
import { createTicketRoute } from './create-ticket.ts';
import { denyTicketRoute } from './deny-ticket.ts';
import { getTicketRoute } from './get-ticket.ts';
import { getTicketContextRoute } from './get-ticket-context.ts';
import { listCatalogRoute } from './list-catalog.ts';
import { listCommentsRoute } from './list-comments.ts';
import { listTicketsRoute } from './list-tickets.ts';
import { previewApprovalRoute } from './preview-approval.ts';
import { provideInformationRoute } from './provide-information.ts';
import { reassignTicketRoute } from './reassign-ticket.ts';
import { requestInformationRoute } from './request-information.ts';
import type { TicketTools } from './schemas.ts';
import { searchApproversRoute } from './search-approvers.ts';

/** Requests for access (protocol 4.13 and 13). */
export function ticketRoutes(http: Http, tools: TicketTools) {
  listCatalogRoute(http, tools);
  previewApprovalRoute(http, tools);
  listTicketsRoute(http, tools);
  createTicketRoute(http, tools);
  getTicketRoute(http, tools);
  getTicketContextRoute(http, tools);
  approveTicketRoute(http, tools);
  denyTicketRoute(http, tools);
  cancelTicketRoute(http, tools);
  reassignTicketRoute(http, tools);
  searchApproversRoute(http, tools);
  listCommentsRoute(http, tools);
  addCommentRoute(http, tools);
  requestInformationRoute(http, tools);
  provideInformationRoute(http, tools);
}
