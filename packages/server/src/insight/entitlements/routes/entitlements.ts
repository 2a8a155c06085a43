import { Type } from 'typebox';
import { asOfEnvelope, asOfQuery, asOfReply } from '#inventory/records/history/as-of-schemas.ts';
import { momentOf } from '#inventory/records/history/moment.ts';
import { envelope, listReply, pageOf, pageQuery, resource } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { Entitlement, SORTS } from '../entitlement-schemas.ts';
import { accessibleEntitlement, listEntitlements, listEntitlementsAsOf } from '../entitlements.ts';
import { entitlementFilters } from '../filters.ts';

const readers = { access: { scope: 'read', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } } as const;

const entitlements = resource({
  path: '/api/resources/',
  tag: 'Apps',
  reading: readers,
  managing: readers,
  id: 'resource_id',
  find: accessibleEntitlement,
  schema: Entitlement,
  view: (shown) => shown,
});

/** The groups and licenses of all apps. */
export const entitlementRoutes = [
  entitlements.all.get(
    '',
    'List groups and licenses of all apps',
    {
      description:
        'By name, with how many of their accounts belong to people who have left or were not used, and when they were last reviewed. Without archived apps. With `as_of`, as it was at that time.',
      config: { ...readers, reads: 'replica' },
      query: {
        ...pageQuery,
        ...entitlementFilters.query,
        sort: Type.Optional(Type.Enum([...SORTS], { description: 'By name if left out.' })),
        ...asOfQuery,
      },
      reply: Component('EntitlementPage', { ...envelope(Entitlement).properties, ...asOfEnvelope }),
    },
    async ({ call, query, request, tools }) => {
      const page = pageOf(query);
      const asked = { ...entitlementFilters.of(query), ...(query.sort && { sort: query.sort }) };
      const moment = await momentOf(call.db, query);
      const origin = tools.origin(request);
      if (moment === null) return listReply(request, origin, page, await listEntitlements(call, asked, page));
      const { coverage, ...slice } = await listEntitlementsAsOf(call, asked, moment, page);
      return { ...listReply(request, origin, page, slice), ...asOfReply(moment, coverage) };
    },
  ),
  entitlements.get('Get a group or license', {
    description: 'Also one that no longer exists in its app.',
  }),
];
