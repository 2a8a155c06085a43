import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import type { ReadActivity } from './admin.ts';
import { appRoutes } from './routes/apps.ts';
import { bridgeAppRoutes } from './routes/bridge.ts';
import { connectionRequestRoutes } from './routes/connection-requests.ts';

/** `activity`: what features on higher layers know about an app. */
export const apps = (tools: Tools, activity: ReadActivity): Feature => ({
  routes: (http) =>
    addRoutes(http, tools, [...bridgeAppRoutes, ...appRoutes(activity), ...connectionRequestRoutes]),
});
