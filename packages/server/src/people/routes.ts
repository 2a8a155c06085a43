import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf } from '../identity/cause.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../platform/http/lists.ts';
import { Nullable, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as people from './people.ts';
import { IdentityType, NewPerson, PersonChange, PersonRole, PersonStatus, PersonView } from './schemas.ts';

const Text = Type.Optional(Type.String());
const Filters = Type.Object({
  ...longPageQuery,
  q: Type.Optional(Type.String({ description: 'Part of the email, the username or a name, without case.' })),
  email: Type.Optional(Type.String({ description: 'Part of the email, without case.' })),
  status: Type.Optional(PersonStatus),
  manager: Type.Optional(Uuid),
  identity_type: Type.Optional(IdentityType),
  role: Type.Optional(PersonRole),
  sort: Type.Optional(Type.Enum([...people.PERSON_SORTS], { default: 'created' })),
});
const Params = Type.Object({ user_id: Uuid });
/** A POST without a body is null here. */
const Reason = Nullable(Type.Object({ reason: Text }));

const read = { access: { scope: 'govern' } } as const;
const write = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['People'];

const view = ({ id, ...person }: people.Person) => ({ external_uuid: id, ...person });

export const callerOf = (request: FastifyRequest) => ({
  principal: request.principal,
  actor: actorOf(request),
});

/** What people routes need beside the database: what higher floors do when people change. */
export interface PeopleTools extends RouteTools {
  onPeople: readonly people.PeopleHook[];
}

/** People (governance.md "People", "Roles"). */
export function peopleRoutes(http: Http, { db, origin, onPeople }: PeopleTools) {
  /** Before the body is looked at (D6). */
  const onRequest = async (request: FastifyRequest) => {
    await people.personOf(db, request.principal, (request.params as { user_id: string }).user_id);
  };

  http.get(
    '/api/users/',
    {
      config: read,
      schema: {
        tags,
        summary: 'List users',
        querystring: Filters,
        response: { 200: longEnvelope(PersonView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { q, email, status = null, manager = null, identity_type = null, role = null } = request.query;
      const { sort = 'created' } = request.query;
      const filter = { q: q || null, email: email || null, status, manager, identity_type, role, sort };
      const slice = await people.listPeople(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(view) });
    },
  );

  http.post(
    '/api/users/',
    {
      config: write,
      schema: { tags, summary: 'Create user', body: NewPerson, response: { 201: PersonView } },
    },
    async (request, reply) => {
      const person = await people.createPerson(db, callerOf(request), onPeople, request.body);
      reply.code(201);
      return view(person);
    },
  );

  http.get(
    '/api/users/:user_id/',
    {
      config: read,
      schema: { tags, summary: 'Get user', params: Params, response: { 200: PersonView } },
    },
    async (request) => view(await people.personOf(db, request.principal, request.params.user_id)),
  );

  http.patch(
    '/api/users/:user_id/',
    {
      config: write,
      onRequest,
      schema: {
        tags,
        summary: 'Change user',
        params: Params,
        body: PersonChange,
        response: { 200: PersonView },
      },
    },
    async (request) =>
      view(await people.changePerson(db, callerOf(request), onPeople, request.params.user_id, request.body)),
  );

  http.delete(
    '/api/users/:user_id/',
    {
      config: write,
      schema: { tags, summary: 'Delete user', params: Params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await people.deletePerson(db, callerOf(request), onPeople, request.params.user_id);
      reply.code(204);
      return null;
    },
  );

  for (const [verb, status] of [
    ['deactivate', 'deactivated'],
    ['reactivate', 'active'],
  ] as const) {
    http.post(
      `/api/users/:user_id/${verb}/`,
      {
        config: write,
        onRequest,
        schema: {
          tags,
          summary: `${verb === 'deactivate' ? 'Deactivate' : 'Reactivate'} user`,
          params: Params,
          body: Reason,
          response: { 200: PersonView },
        },
      },
      async (request) => {
        const { user_id } = request.params as { user_id: string };
        const reason = (request.body as { reason?: string } | undefined)?.reason ?? null;
        return view(await people.changePerson(db, callerOf(request), onPeople, user_id, { status }, reason));
      },
    );
  }
}
