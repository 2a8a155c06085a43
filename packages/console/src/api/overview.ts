import { queryOptions } from '@tanstack/react-query';
import { type Answer, get, load } from './client.ts';
import { takeEarly } from './early.ts';

type Overview = Answer<'/api/overview/'>;

/** The state of the organization, for roles that read all. */
export const overviewQuery = queryOptions({
  ...get('/api/overview/'),
  queryFn: async ({ signal }) =>
    (await takeEarly<Overview>('overview')) ?? load('/api/overview/', {}, signal),
});
