import type { Feature, Tools } from '#kit/feature.ts';
import { teamRoutes } from './routes/index.ts';

export const team = (tools: Tools): Feature => ({ routes: (http) => teamRoutes(http, tools) });
