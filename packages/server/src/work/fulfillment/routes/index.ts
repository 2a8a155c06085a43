import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { addAttachmentRoute } from './add-attachment.ts';
import { getSettingsRoute, putSettingsRoute } from './fulfillment.ts';
import {
  completeTaskRoute,
  getAttachmentRoute,
  getFulfillmentRoute,
  listCandidatesRoute,
  listFulfillmentRoute,
  reassignTaskRoute,
  refuseTaskRoute,
} from './tasks.ts';

/** Tasks that people carry out. */
export async function fulfillmentRoutes(http: Http, tools: RouteTools) {
  getSettingsRoute(http, tools);
  putSettingsRoute(http, tools);
  listFulfillmentRoute(http, tools);
  getFulfillmentRoute(http, tools);
  completeTaskRoute(http, tools);
  refuseTaskRoute(http, tools);
  reassignTaskRoute(http, tools);
  listCandidatesRoute(http, tools);
  await addAttachmentRoute(http, tools);
  getAttachmentRoute(http, tools);
}
