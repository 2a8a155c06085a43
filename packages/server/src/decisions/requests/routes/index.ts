import { addRoutes, type Http } from '#kit/http.ts';
import { commentRoutes } from './comments.ts';
import { listCatalogRoute } from './list-catalog.ts';
import { previewApprovalRoute } from './preview-approval.ts';
import { reassignRoutes } from './reassign.ts';
import type { TicketTools } from './schemas.ts';
import { ticketRoutes as routes } from './tickets.ts';

/** Requests for access (protocol 4.13 and 13). */
export const ticketRoutes = (http: Http, tools: TicketTools) =>
  addRoutes(http, tools, [
    listCatalogRoute,
    previewApprovalRoute,
    ...routes(tools),
    ...reassignRoutes(tools),
    ...commentRoutes(tools),
  ]);
