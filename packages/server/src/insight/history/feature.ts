import type { Feature } from '../../kit/feature.ts';
import { historyRoutes } from './routes/index.ts';

export const history: Feature = { routes: historyRoutes };
