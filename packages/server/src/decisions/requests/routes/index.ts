import type { Http } from '../../../kit/http/server.ts';
import { addCommentRoute, listCommentsRoute } from './comments.ts';
import { listCatalogRoute } from './list-catalog.ts';
import { previewApprovalRoute } from './preview-approval.ts';
import { reassignTicketRoute, searchApproversRoute } from './reassign.ts';
import type { TicketTools } from './schemas.ts';
import {
  cancelTicketRoute,
  createTicketRoute,
  decideTicketRoutes,
  getTicketContextRoute,
  getTicketRoute,
  informationRoutes,
  listTicketsRoute,
} from './tickets.ts';

/** Requests for access (protocol 4.13 and 13). */
export function ticketRoutes(http: Http, tools: TicketTools) {
  listCatalogRoute(http, tools);
  previewApprovalRoute(http, tools);
  listTicketsRoute(http, tools);
  createTicketRoute(http, tools);
  getTicketRoute(http, tools);
  getTicketContextRoute(http, tools);
  decideTicketRoutes(http, tools);
  cancelTicketRoute(http, tools);
  reassignTicketRoute(http, tools);
  searchApproversRoute(http, tools);
  listCommentsRoute(http, tools);
  addCommentRoute(http, tools);
  informationRoutes(http, tools);
}
