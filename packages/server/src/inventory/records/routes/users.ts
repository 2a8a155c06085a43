import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { sendCsv } from '../../../kit/http/csv.ts';
import { addressWith, listReply, longEnvelope, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listAccounts } from '../accounts.ts';
import {
  asOfFilter,
  exportAccountsAsOf,
  listAccountsAsOf,
  requireKnownPerson,
  requirePresent,
} from '../as-of.ts';
import { accessByDepartment } from '../departments.ts';
import { momentOf } from '../history/moment.ts';
import { asOfEnvelope, asOfListQuery, asOfQuery, asOfReply } from './as-of-schemas.ts';
import { ManagedAccount, managedAccount } from './schemas.ts';

const Place = Type.Enum(['department', 'none', 'other'], {
  description: 'none: users without a department. other: all but the 15 largest departments.',
});

const department = { place: Place, department: Nullable(Type.String()), people: Type.Integer() };

const Access = Component('DepartmentAccess', {
  departments: Type.Array(Component('DepartmentCount', department), {
    description: 'The active users of each department.',
  }),
  results: Type.Array(
    Component('DepartmentAccessCount', {
      app: Nullable({
        ...Type.Object({ external_uuid: Uuid, name: Type.String() }),
        description: 'null: all but the 15 apps with most users.',
      }),
      ...department,
    }),
    { description: 'The active users of a department with an INVITED or ACTIVE account in an app.' },
  ),
});

export function accessByDepartmentRoute(http: Http) {
  http.get(
    '/api/users/access-by-department/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags: ['People'],
        summary: 'Count users with access, by app and department',
        response: { 200: Access },
      },
    },
    async ({ reads: { db }, principal: { orgId } }) => {
      const { access, departments } = await accessByDepartment(within(db, orgId));
      return {
        departments,
        results: access.map(({ app_id, app_name, ...row }) => ({
          app: app_id === null ? null : { external_uuid: app_id, name: app_name ?? '' },
          ...row,
        })),
      };
    },
  );
}

export function listAccessOfPersonRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/users/:user_id/access/',
    {
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica' },
      schema: {
        tags: ['People'],
        summary: "List a user's access",
        description:
          "The user's accounts with their groups and licenses. With `as_of`, those at that time, with the paging of `GET /api/accounts/`; the user may have been deleted since.",
        params: Type.Object({ user_id: Uuid }),
        querystring: Type.Object({ ...pageQuery, ...asOfQuery, ...asOfListQuery }),
        response: {
          200: Component('AccountAsOfPage', { ...longEnvelope(ManagedAccount).properties, ...asOfEnvelope }),
        },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { query } = request;
      const user = request.params.user_id;
      await requireKnownPerson(callOf(db, request), user);
      const moment = await momentOf(db, query);
      const page = pageOf(query);
      if (moment === null) {
        requirePresent(query);
        const filter = { app: null, status: null, email: null, search: null, user, linked: null };
        const slice = await listAccounts(callOf(db, request), { ...filter, sort: 'created' }, page);
        return listReply(request, origin(request), page, {
          ...slice,
          results: slice.results.map(managedAccount),
        });
      }
      const filter = asOfFilter({ ...query, user });
      if (query.format === 'csv') {
        const text = await exportAccountsAsOf(callOf(db, request), filter, moment);
        return sendCsv(reply, `access-${moment.at.slice(0, 10)}.csv`, text);
      }
      const { results, next, coverage } = await listAccountsAsOf(
        callOf(db, request),
        filter,
        moment,
        page.limit,
      );
      return {
        count: results.length,
        more: next !== null,
        next: next === null ? null : addressWith(request, origin(request), { after: next }),
        previous: null,
        results: results.map(managedAccount),
        ...asOfReply(moment, coverage),
      };
    },
  );
}
