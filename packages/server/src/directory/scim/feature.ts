import type { Feature, Tools } from '../../kit/feature.ts';
import { scimRoutes } from './routes/index.ts';

export const scim = (tools: Tools): Feature => ({ routes: (http) => scimRoutes(http, tools) });
