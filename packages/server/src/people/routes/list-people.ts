import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { listPeople } from '../people.ts';
import { PERSON_SORTS, PERSON_SOURCES } from '../person.ts';
import { IdentityType, PersonRole, PersonStatus, PersonView, read, tags } from './schemas.ts';
import { type PeopleTools, view } from './tools.ts';

const Filters = Type.Object({
  ...longPageQuery,
  q: Type.Optional(
    Type.String({ description: 'Part of the email, the username or a name. Case does not matter.' }),
  ),
  email: Type.Optional(Type.String({ description: 'Part of the email. Case does not matter.' })),
  status: Type.Optional(PersonStatus),
  manager: Type.Optional(Uuid),
  identity_type: Type.Optional(IdentityType),
  role: Type.Optional(PersonRole),
  source: Type.Optional(
    Type.Enum([...PERSON_SOURCES], {
      description: 'scim: only people whom an identity provider manages. gatehouse: only the others.',
    }),
  ),
  merged: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: only people who were merged into another person, who are otherwise left out.',
    }),
  ),
  sort: Type.Optional(Type.Enum([...PERSON_SORTS], { default: 'created' })),
});

export function listPeopleRoute(http: Http, { origin }: PeopleTools) {
  http.get(
    '/api/users/',
    {
      config: { access: read, reads: 'replica' },
      schema: {
        tags,
        summary: 'List users',
        querystring: Filters,
        response: { 200: longEnvelope(PersonView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { q, email, status = null, manager = null, identity_type = null, role = null } = request.query;
      const { source = null, merged = false, sort = 'created' } = request.query;
      const filter = {
        q: q || null,
        email: email || null,
        status,
        manager,
        identity_type,
        role,
        source,
        merged,
        sort,
      };
      const slice = await listPeople(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(view) });
    },
  );
}
