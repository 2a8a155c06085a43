import type { Feature, Tools } from '#kit/feature.ts';
import { promotionLoop } from './promote.ts';
import { bridgeTaskRoutes, taskRoutes } from './routes/index.ts';

type Options = Omit<Parameters<typeof bridgeTaskRoutes>[1] & Parameters<typeof taskRoutes>[1], keyof Tools>;

export const provisioning = (tools: Tools, options: Options): Feature => ({
  routes: (http) => {
    bridgeTaskRoutes(http, { ...tools, ...options });
    taskRoutes(http, { ...tools, ...options });
  },
  loops: [promotionLoop(tools.db, tools.logger)],
});
