import type { Feature, Tools } from '../../kit/feature.ts';
import { restoreRoutes } from './routes/restore-access.ts';

export const restore = (tools: Tools): Feature => ({ routes: (http) => restoreRoutes(http, tools) });
