import { Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { within } from '../../../kit/database/organization.ts';
import { sendCsv } from '../../../kit/http/csv.ts';
import {
  envelope,
  listReply,
  longEnvelope,
  longPageQuery,
  pageOf,
  pageQuery,
} from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { UnseenRule } from '../../apps/unseen.ts';
import { withApp } from '../../apps/with-app.ts';
import { requirePresent } from '../as-of.ts';
import { momentOf } from '../history/moment.ts';
import { listResources, membersOf } from '../resources.ts';
import { exportResourcesAsOf, listResourcesAsOf } from '../resources-as-of.ts';
import { asOfEnvelope, asOfFields, asOfQuery, asOfReply } from './as-of-schemas.ts';
import { AccountStatus, Giver, Risk } from './schemas.ts';

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

const Filters = Type.Object({
  ...pageQuery,
  resource_id: Type.Optional({
    ...Uuid,
    description: 'The `external_uuid` of one group or license, which may no longer exist.',
  }),
  slug: Type.Optional(Type.String()),
  q: Type.Optional(Type.String({ description: 'Part of the name, compared without case.' })),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'false: entitlements that no longer exist.' }),
  ),
  risk: Type.Optional(Risk),
  owner: Type.Optional({
    ...Uuid,
    description: 'The entitlements of which the app names a user as the owner.',
  }),
  hidden: Type.Optional(
    Type.Boolean({ default: false, description: 'true: only those with hidden members.' }),
  ),
  ...asOfQuery,
  format: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'csv: with `as_of`, all groups and licenses as CSV.' }),
  ),
});

/** Protocol 11. */
export function listResourcesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/resources/',
    {
      config: { access: { scope: 'govern', apps: 'listed' }, reads: 'replica' },
      onRequest: withApp(db),
      schema: {
        tags: ['Apps'],
        summary: 'List groups and licenses of an app',
        description:
          'By name. Members of the organization do not see how many accounts hold an entitlement. With `as_of`, as it was at that time; seats are null then.',
        params: Type.Object({ app_id: Uuid }),
        querystring: Filters,
        response: {
          200: Component('ResourceAsOfPage', { ...envelope(Resource).properties, ...asOfEnvelope }),
        },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const {
        resource_id: id = null,
        slug,
        q,
        active = true,
        risk = null,
        owner = null,
        hidden = false,
      } = request.query;
      const filter = { id, slug: slug || null, q: q || null, active, risk, owner, hidden };
      const moment = await momentOf(db, request.query);
      if (moment !== null) {
        const { bridgeApp: app } = request;
        if (request.query.format === 'csv') {
          const text = await exportResourcesAsOf(callOf(db, request), app, filter, moment);
          return sendCsv(reply, `resources-${moment.at.slice(0, 10)}.csv`, text);
        }
        const found = await listResourcesAsOf(callOf(db, request), app.id, filter, moment, page);
        return { ...listReply(request, origin(request), page, found), ...asOfReply(moment, found.coverage) };
      }
      requirePresent(request.query);
      const slice = await listResources(callOf(db, request), request.bridgeApp.id, filter, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

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

export function listMembersRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/resources/:resource_id/members/',
    {
      config: {
        access: { scope: 'read', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      onRequest: withApp(db),
      schema: {
        tags: ['Apps'],
        summary: 'List the accounts that hold a group or license',
        params: Type.Object({ app_id: Uuid, resource_id: Uuid }),
        querystring: Type.Object(longPageQuery),
        response: { 200: longEnvelope(Member) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      const slice = await membersOf(
        within(db, orgId),
        request.bridgeApp.id,
        request.params.resource_id,
        page,
      );
      return listReply(request, origin(request), page, slice);
    },
  );
}
