import { Type } from 'typebox';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { envelope, listReply, pageOf, pageQuery, sendCsv } from '#kit/http.ts';
import type { Slice } from '#kit/pages.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { asOfEnvelope, asOfQuery, asOfReply } from '../../history/as-of-schemas.ts';
import { momentOf } from '../../history/moment.ts';
import { requirePresent } from '../as-of.ts';
import type { ReadGrants } from '../reasons.ts';
import { memberFilters, resourceFilters } from '../resource-filters.ts';
import { Member, Resource } from '../resource-schemas.ts';
import { listResources, membersOf } from '../resources.ts';
import { exportResourcesAsOf, listResourcesAsOf } from '../resources-as-of.ts';

const everyRole = { access: { scope: 'govern', apps: 'listed' }, reads: 'replica' } as const;
const app = belowApp({ tag: 'Apps', reading: everyRole, managing: everyRole });

/** The groups and licenses of an app (protocol 11). */
export const resourceRoutes = (readGrants: ReadGrants) => [
  app.get(
    'resources/',
    'List groups and licenses of an app',
    {
      description:
        'By name. Members of the organization do not see how many accounts hold an entitlement. With `as_of`, as it was at that time; seats are null then.',
      query: {
        ...pageQuery,
        ...resourceFilters.query,
        ...asOfQuery,
        format: Type.Optional(
          Type.Enum(['json', 'csv'], { description: 'csv: with `as_of`, all groups and licenses as CSV.' }),
        ),
      },
      reply: Component('ResourceAsOfPage', { ...envelope(Resource).properties, ...asOfEnvelope }),
    },
    async ({ call, found, query, request, reply, tools }) => {
      const filter = resourceFilters.of(query);
      const page = pageOf(query);
      const moment = await momentOf(call.db, query);
      const answer = (slice: Slice<Resource>) => listReply(request, tools.origin(request), page, slice);
      if (moment === null) {
        requirePresent(query);
        return answer(await listResources(call, found.id, filter, page));
      }
      if (query.format === 'csv') {
        const text = await exportResourcesAsOf(call, found, filter, moment);
        return sendCsv(reply, `resources-${moment.at.slice(0, 10)}.csv`, text);
      }
      const { coverage, ...slice } = await listResourcesAsOf(call, [found.id], filter, moment, page);
      return { ...answer(slice), ...asOfReply(moment, coverage) };
    },
  ),
  app.list(
    'resources/:resource_id/members/',
    'List the accounts that hold a group or license',
    {
      config: {
        access: { scope: 'read', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      params: { resource_id: Uuid },
      query: memberFilters.query,
      isLong: true,
      item: Member,
    },
    ({ call, found, params, query }, page) =>
      membersOf(call, { appId: found.id, resourceId: params.resource_id, readGrants }, query, page),
  ),
];
