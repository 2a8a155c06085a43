import type { Feature, Tools } from '../../kit/feature.ts';
import type { ReadActivity } from './admin.ts';
import { adminAppRoutes, bridgeAppRoutes, checkRoutes, connectionRequestRoutes } from './routes/index.ts';

/** `activity`: what features on higher layers know about an app. */
export const apps = (tools: Tools, activity: ReadActivity): Feature => ({
  routes: (http) => {
    bridgeAppRoutes(http, tools);
    checkRoutes(http, tools);
    adminAppRoutes(http, { ...tools, ...activity });
    connectionRequestRoutes(http, tools);
  },
});
