import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { UnseenRule } from '#inventory/apps/unseen.ts';
import { envelope, listReply, pageOf, pageQuery, sendCsv } from '#kit/http.ts';
import type { Slice } from '#kit/pages.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { momentOf } from '../../history/moment.ts';
import { AccountStatus } from '../account.ts';
import { requirePresent } from '../as-of.ts';
import { Risk, resourceFilters } from '../resource-filters.ts';
import { listResources, membersOf } from '../resources.ts';
import { exportResourcesAsOf, listResourcesAsOf } from '../resources-as-of.ts';
import { Giver } from '../summaries.ts';
import { asOfEnvelope, asOfFields, asOfQuery, asOfReply } from './as-of-schemas.ts';

const everyRole = { access: { scope: 'govern', apps: 'listed' }, reads: 'replica' } as const;
const app = belowApp({ tag: 'Apps', reading: everyRole, managing: everyRole });

const Resource = Component('Resource', {
  external_uuid: Uuid,
  id: Type.String({ description: 'The id in the external system.' }),
  slug: Type.String({ description: 'The slug of its resource type.' }),
  type: Type.Enum(['group', 'license']),
  name: Type.String({
    description: 'Empty for a placeholder: an entitlement that has only been referenced so far.',
  }),
  description: Type.String(),
  active: Type.Boolean({ description: 'false: the last sync no longer found it.' }),
  members: Nullable(
    Type.Integer({ description: 'The number of accounts that hold it; null if a member asks.' }),
  ),
  hidden_members: Nullable(
    Type.Integer({
      description:
        'Members that the newest sync reported but could not show, for example because they belong to another domain. They are not in `members`. null if a member asks, or if no sync had completed by the time of `as_of`.',
    }),
  ),
  hidden: Type.Array(Component('HiddenMembers', { rule: UnseenRule, count: Type.Integer() }), {
    description: 'The same by rule.',
  }),
  max_count: Nullable(Type.Integer({ description: 'Seats of a license; 0 means unlimited.' })),
  used_count: Nullable(Type.Integer({ description: 'Seats in use, as the external system counts them.' })),
  is_full: Nullable(
    Type.Boolean({ description: 'Whether a license has no free seats, for every role; null for groups.' }),
  ),
  is_paid: Nullable(Type.Boolean()),
  is_unlimited: Nullable(Type.Boolean()),
  risk: Type.Optional(Nullable(Risk)),
  owner_email: Type.Optional(
    Nullable(Type.String({ description: 'The email of the owner that the app names.' })),
  ),
  owner: Type.Optional(Nullable(PersonReference)),
  members_more: Type.Optional(
    Type.Boolean({ description: 'Only with `as_of`: whether more than 100 accounts held it.' }),
  ),
  ...asOfFields,
});

const Member = Component('Member', {
  external_uuid: Uuid,
  email: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  status: AccountStatus,
  user: Nullable(Uuid),
  granted_at: Timestamp,
  last_seen_at: Nullable({
    ...Timestamp,
    description: 'When a sync last saw it, if the newest one could not. null otherwise.',
  }),
  via: Nullable({
    ...Giver,
    description: 'The group or license that gives it. null: it was given directly.',
  }),
});

/** The groups and licenses of an app (protocol 11). */
export const resourceRoutes = [
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
      const answer = (slice: Slice<Static<typeof Resource>>) =>
        listReply(request, tools.origin(request), page, slice);
      if (moment === null) {
        requirePresent(query);
        return answer(await listResources(call, found.id, filter, page));
      }
      if (query.format === 'csv') {
        const text = await exportResourcesAsOf(call, found, filter, moment);
        return sendCsv(reply, `resources-${moment.at.slice(0, 10)}.csv`, text);
      }
      const { coverage, ...slice } = await listResourcesAsOf(call, found.id, filter, moment, page);
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
      isLong: true,
      item: Member,
    },
    ({ call, found, params }, page) => membersOf(call, found.id, params.resource_id, page),
  ),
];
