import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { grantRoutes } from './routes/grants.ts';

/** Why somebody has access: decisions in force, and those that have ended (D73). */
export const grants = (tools: Tools): Feature => ({ routes: (http) => addRoutes(http, tools, grantRoutes) });
