import type { Route } from '#kit/http.ts';
import type { ReadRemovals } from '../leavers.ts';
import type { ReadSuspensions } from '../suspensions.ts';
import { accountRoutes } from './accounts.ts';
import { leaverRoute } from './leavers.ts';
import { licenseTrendRoute } from './license-trend.ts';
import { resourceRoutes } from './resources.ts';
import { accessOfPeopleRoutes } from './users.ts';

export const recordRoutes = (readRemovals: ReadRemovals, readSuspensions: ReadSuspensions): Route[] => [
  ...accountRoutes(readSuspensions),
  leaverRoute(readRemovals),
  ...accessOfPeopleRoutes,
  ...resourceRoutes,
  licenseTrendRoute,
];
