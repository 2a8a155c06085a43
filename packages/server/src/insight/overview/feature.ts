import type { Feature, Tools } from '#kit/feature.ts';
import { overviewRoutes } from './routes/index.ts';

export const overview = (tools: Tools): Feature => ({ routes: (http) => overviewRoutes(http, tools) });
