import type { Route } from '#kit/http.ts';
import type { ReadRemovals } from '../leavers.ts';
import type { ReadReasons } from '../suspensions.ts';
import { accountRoutes } from './accounts.ts';
import { leaverRoute } from './leavers.ts';
import { licenseTrendRoute } from './license-trend.ts';
import { resourceRoutes } from './resources.ts';
import { accessOfPeopleRoutes } from './users.ts';

export const recordRoutes = (readRemovals: ReadRemovals, reasons: Required<ReadReasons>): Route[] => [
  ...accountRoutes(reasons),
  leaverRoute(readRemovals),
  ...accessOfPeopleRoutes(reasons.readGrants),
  ...resourceRoutes(reasons.readGrants),
  licenseTrendRoute,
];
