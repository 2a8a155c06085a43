import { Type } from 'typebox';
import { pageQuery, route } from '#kit/http.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { asOfListQuery, asOfQuery } from '../../history/as-of-schemas.ts';
import { requireKnownPerson } from '../as-of.ts';
import { accessByDepartment } from '../departments.ts';
import type { ReadGrants } from '../reasons.ts';
import { AccountPage, accountPage } from './account-pages.ts';

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

export const accessOfPeopleRoutes = (readGrants: ReadGrants) => [
  route(
    'GET',
    '/api/users/access-by-department/',
    {
      tag: 'People',
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      summary: 'Count users with access, by app and department',
      reply: Access,
    },
    async ({ call }) => {
      const { access, departments } = await accessByDepartment(call);
      return {
        departments,
        results: access.map(({ app_id, app_name, ...row }) => ({
          app: app_id === null ? null : { external_uuid: app_id, name: app_name ?? '' },
          ...row,
        })),
      };
    },
  ),
  route(
    'GET',
    '/api/users/:user_id/access/',
    {
      tag: 'People',
      config: { access: { scope: 'read', apps: 'listed' }, reads: 'replica' },
      summary: "List a user's access",
      description:
        "The user's accounts with their groups and licenses. With `as_of`, those at that time, with the paging of `GET /api/accounts/`; the user may have been deleted since.",
      params: { user_id: Uuid },
      query: { ...pageQuery, ...asOfQuery, ...asOfListQuery },
      reply: AccountPage,
    },
    async (given) => {
      const user = given.params.user_id;
      await requireKnownPerson(given.call, user);
      return accountPage(given, { ...given.query, user }, 'access', { readGrants });
    },
  ),
];
