import type { Http } from '../../../kit/http/server.ts';
import {
  getBridgeTaskRoute,
  type ListTools,
  listBridgeTasksRoute,
  type ReportTools,
  reportTaskRoute,
} from './bridge.ts';
import { decideHeldTasksRoutes, listHeldTasksRoute } from './held-tasks.ts';
import {
  cancelTaskRoute,
  createTaskRoute,
  getTaskRoute,
  listTasksRoute,
  retryTaskRoute,
  type TaskTools,
} from './tasks.ts';
import { previewUserNamesRoute } from './user-names.ts';

/** Tasks as people read and create them. */
export function taskRoutes(http: Http, tools: TaskTools) {
  listTasksRoute(http, tools);
  createTaskRoute(http, tools);
  getTaskRoute(http, tools);
  retryTaskRoute(http, tools);
  cancelTaskRoute(http, tools);
  listHeldTasksRoute(http, tools);
  decideHeldTasksRoutes(http, tools);
  previewUserNamesRoute(http, tools);
}

/** Tasks as connectors read and report them. */
export function bridgeTaskRoutes(http: Http, tools: ReportTools & ListTools) {
  listBridgeTasksRoute(http, tools);
  getBridgeTaskRoute(http, tools);
  reportTaskRoute(http, tools);
}
