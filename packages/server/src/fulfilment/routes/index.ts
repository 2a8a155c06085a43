import type { Http, RouteTools } from '../../platform/http/server.ts';
import { addAttachmentRoute } from './add-attachment.ts';
import { completeTaskRoute } from './complete-task.ts';
import { getAttachmentRoute } from './get-attachment.ts';
import { getSettingsRoute } from './get-settings.ts';
import { getFulfilmentRoute } from './get-task.ts';
import { listCandidatesRoute } from './list-candidates.ts';
import { listFulfilmentRoute } from './list-tasks.ts';
import { putSettingsRoute } from './put-settings.ts';
import { reassignTaskRoute } from './reassign-task.ts';
import { refuseTaskRoute } from './refuse-task.ts';

/** Tasks that people carry out. */
export async function fulfilmentRoutes(http: Http, tools: RouteTools) {
  getSettingsRoute(http, tools);
  putSettingsRoute(http, tools);
  listFulfilmentRoute(http, tools);
  getFulfilmentRoute(http, tools);
  completeTaskRoute(http, tools);
  refuseTaskRoute(http, tools);
  reassignTaskRoute(http, tools);
  listCandidatesRoute(http, tools);
  await addAttachmentRoute(http, tools);
  getAttachmentRoute(http, tools);
}
