import type { Http, RouteTools } from '../../platform/http/server.ts';
import { cancelTaskRoute } from './cancel-task.ts';
import { createTaskRoute } from './create-task.ts';
import { decideHeldTasksRoutes } from './decide-held-tasks.ts';
import { getBridgeTaskRoute } from './get-bridge-task.ts';
import { getTaskRoute } from './get-task.ts';
import { type ListTools, listBridgeTasksRoute } from './list-bridge-tasks.ts';
import { listHeldTasksRoute } from './list-held-tasks.ts';
import { listTasksRoute } from './list-tasks.ts';
import { type ReportTools, reportTaskRoute } from './report-task.ts';
import { retryTaskRoute } from './retry-task.ts';

/** Tasks as people read and create them. */
export function taskRoutes(http: Http, tools: RouteTools) {
  listTasksRoute(http, tools);
  createTaskRoute(http, tools);
  getTaskRoute(http, tools);
  retryTaskRoute(http, tools);
  cancelTaskRoute(http, tools);
  listHeldTasksRoute(http, tools);
  decideHeldTasksRoutes(http, tools);
}

/** Tasks as connectors read and report them. */
export function bridgeTaskRoutes(http: Http, tools: ReportTools & ListTools) {
  listBridgeTasksRoute(http, tools);
  getBridgeTaskRoute(http, tools);
  reportTaskRoute(http, tools);
}
