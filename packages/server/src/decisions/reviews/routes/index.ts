import { addRoutes } from '../../../kit/http/route.ts';
import type { Http } from '../../../kit/http/server.ts';
import { cycleRoutes } from './cycles.ts';
import { itemRoutes } from './items.ts';
import type { ReviewTools } from './resources.ts';
import { campaignRoutes } from './reviews.ts';

/** Access reviews (protocol 14). */
export const reviewRoutes = (http: Http, tools: ReviewTools) =>
  addRoutes(http, tools, [...campaignRoutes(tools), ...cycleRoutes, ...itemRoutes(tools)]);
