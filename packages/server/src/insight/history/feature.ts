import type { Feature, Tools } from '#kit/feature.ts';
import { historyRoutes } from './routes/index.ts';

export const history = (tools: Tools): Feature => ({ routes: (http) => historyRoutes(http, tools) });
