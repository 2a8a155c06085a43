import { Type } from 'typebox';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { accessByDepartment, departmentSizes } from '../queries/departments.ts';

const Place = Type.Enum(['department', 'none', 'other'], {
  description: 'none: users without a department. other: all but the 15 largest departments.',
});
const department = { place: Place, department: Nullable(Type.String()), people: Type.Integer() };

const Access = Type.Object({
  departments: Type.Array(Type.Object(department), {
    description: 'The active users of each department.',
  }),
  results: Type.Array(
    Type.Object({
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
      const rows = await accessByDepartment(db, orgId);
      return {
        departments: await departmentSizes(db, orgId),
        results: rows.map(({ app_id, app_name, ...row }) => ({
          app: app_id === null ? null : { external_uuid: app_id, name: app_name ?? '' },
          ...row,
        })),
      };
    },
  );
}
