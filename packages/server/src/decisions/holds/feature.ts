import type { Feature, Tools } from '#kit/feature.ts';
import { holdRoutes } from './routes/index.ts';

export const holds = (tools: Tools): Feature => ({ routes: (http) => holdRoutes(http, tools) });
