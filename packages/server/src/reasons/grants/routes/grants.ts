import { Type } from 'typebox';
import { asOfQuery } from '#inventory/records/history/as-of-schemas.ts';
import { listReply, longEnvelope, longPageQuery, pageOf, resource, sendCsv } from '#kit/http.ts';
import { grantFilters } from '../filters.ts';
import { GrantView } from '../grant-schemas.ts';
import { accessibleGrant, exportGrants, listGrants } from '../list.ts';

const reading = { access: { scope: 'read', apps: 'listed' } } as const;

const grants = resource({
  path: '/api/grants/',
  tag: 'Accounts',
  reading,
  managing: reading,
  id: 'grant_id',
  find: accessibleGrant,
  schema: GrantView,
  view: (grant) => grant,
});

/** Why accounts have access (D73). */
export const grantRoutes = [
  grants.all.get(
    '',
    'List grants',
    {
      description:
        'The decisions that give access, those that began last first: in force, unless `status` says otherwise. With `as_of`, those of that time. Members see the kinds and ends of their own accounts and of people who report to them, without who decided and its label.',
      config: { ...reading, reads: 'replica' },
      query: {
        ...longPageQuery,
        ...grantFilters.query,
        ...asOfQuery,
        format: Type.Optional(
          Type.Enum(['json', 'csv'], { description: 'csv: all grants as CSV, without pages.' }),
        ),
      },
      reply: longEnvelope(GrantView),
    },
    async ({ call, query, request, reply, tools }) => {
      if (query.format === 'csv') return sendCsv(reply, 'grants.csv', await exportGrants(call, query));
      const page = pageOf(query);
      return listReply(request, tools.origin(request), page, await listGrants(call, query, page));
    },
  ),
  grants.get('Get grant'),
];
