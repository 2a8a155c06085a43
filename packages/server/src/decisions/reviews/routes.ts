import { addRoutes, type Http } from '#kit/http.ts';
import type { ReviewTools } from './cycles/routes/resources.ts';
import { cycleRoutes } from './deciding/routes/cycles.ts';
import { itemRoutes } from './deciding/routes/items.ts';
import { campaignRoutes } from './opening/routes/reviews.ts';

/** Access reviews (protocol 14). */
export const reviewRoutes = (http: Http, tools: ReviewTools) =>
  addRoutes(http, tools, [...campaignRoutes(tools), ...cycleRoutes, ...itemRoutes(tools)]);
