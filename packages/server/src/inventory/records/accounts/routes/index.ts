import type { Route } from '#kit/http.ts';
import type { ReadRemovals } from '../leavers.ts';
import type { ReadGrants } from '../reasons.ts';
import { accountRoutes } from './accounts.ts';
import { leaverRoute } from './leavers.ts';
import { licenseTrendRoute } from './license-trend.ts';
import { resourceRoutes } from './resources.ts';
import { accessOfPeopleRoutes } from './users.ts';

export const recordRoutes = (readRemovals: ReadRemovals, readGrants: ReadGrants): Route[] => [
  ...accountRoutes(readGrants),
  leaverRoute(readRemovals),
  ...accessOfPeopleRoutes(readGrants),
  ...resourceRoutes(readGrants),
  licenseTrendRoute,
];
