import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import {
  envelope,
  listReply,
  longEnvelope,
  longPageQuery,
  pageOf,
  pageQuery,
} from '../../../kit/http/lists.ts';
import { Component, Instant, MapOf, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { historyOf, personAsOf, requireHistory } from '../history.ts';
import { mergePeople } from '../merge.ts';
import {
  changePerson,
  createPerson,
  deletePerson,
  listAttributes,
  listPeople,
  personOf,
  profileVersion,
} from '../people.ts';
import { PERSON_SORTS, PERSON_SOURCES } from '../person.ts';
import { releasePerson } from '../release.ts';
import {
  ChangedPerson,
  FieldChange,
  IdentityType,
  NewPerson,
  PersonAsOfView,
  PersonChange,
  PersonParams,
  PersonPeriodView,
  PersonRole,
  PersonStatus,
  PersonView,
  Reason,
  read,
  tags,
  write,
} from './schemas.ts';
import { fittingPart, requirePerson, view } from './tools.ts';

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

export function listPeopleRoute(http: Http, { origin }: RouteTools) {
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
      const slice = await listPeople(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(view) });
    },
  );
}

const Attributes = Component('UserAttributes', {
  results: Type.Array(
    Component('UserAttribute', {
      name: Type.String(),
      values: Type.Array(Type.String(), { description: 'At most 50, the most frequent first.' }),
    }),
    { description: 'At most 100, the most frequent first.' },
  ),
});

export function listAttributesRoute(http: Http) {
  http.get(
    '/api/users/attributes/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags,
        summary: 'List attributes of users',
        description:
          'The attributes with text values that users have, and their most frequent values, for forms that suggest them. Looks at the 20,000 newest users.',
        response: { 200: Attributes },
      },
    },
    async ({ reads: { db }, principal: { orgId } }) => ({ results: await listAttributes(within(db, orgId)) }),
  );
}

export function createPersonRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/users/',
    {
      config: { access: write },
      schema: { tags, summary: 'Create user', body: NewPerson, response: { 201: PersonView } },
    },
    async (request, reply) => {
      const person = await createPerson(callOf(db, request), request.body);
      reply.code(201);
      return view(person);
    },
  );
}

export function getPersonRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/users/:user_id/',
    {
      config: { access: read },
      onRequest: async (request) => {
        if ('as_of' in (request.query as object))
          await requireHistory(callOf(db, request), (request.params as { user_id: string }).user_id);
      },
      schema: {
        tags,
        summary: 'Get user',
        description: 'With `as_of`, the user as they were at that time, even if they were deleted later.',
        params: PersonParams,
        querystring: Type.Object({ as_of: Type.Optional(Instant) }),
        response: { 200: withVersion(PersonAsOfView) },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const call = callOf(db, request);
      if (query.as_of !== undefined) return view(await personAsOf(call, params.user_id, query.as_of));
      const person = await personOf(call, params.user_id);
      reply.header('ETag', profileVersion(person));
      return view(person);
    },
  );
}

export function getPersonHistoryRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/users/:user_id/history/',
    {
      config: { access: read, reads: 'replica' },
      onRequest: (request) =>
        requireHistory(callOf(db, request), (request.params as { user_id: string }).user_id),
      schema: {
        tags,
        summary: 'List the history of a user',
        description:
          'The states of the user, newest first, each with the changes that led to it. Deleted users keep their history.',
        params: PersonParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(PersonPeriodView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { count, results } = await historyOf(callOf(db, request), request.params.user_id, page);
      const periods = results.map(({ person, ...period }) => ({ ...period, person: view(person) }));
      return listReply(request, origin(request), page, { count, results: periods });
    },
  );
}

export function changePersonRoute(http: Http, tools: RouteTools) {
  const { db } = tools;
  http.patch(
    '/api/users/:user_id/',
    {
      config: { access: write },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Update user',
        description:
          'If an active user is deactivated, fields that cannot be changed at the same time are left as they are, and listed in `ignored`.',
        params: PersonParams,
        headers: IfMatchHeader,
        body: PersonChange,
        response: { 200: withVersion(ChangedPerson) },
      },
      // The rule decides whether fields that are not valid refuse the change.
      attachValidation: true,
    },
    async (request, reply) => {
      const { params } = request;
      const { body, unfit } = fittingPart(request);
      const person = await changePerson(callOf(db, request), params.user_id, body, {
        ifMatch: ifMatchOf(request),
        unfit,
      });
      reply.header('ETag', profileVersion(person));
      return view(person);
    },
  );
}

export function deletePersonRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/users/:user_id/',
    {
      config: { access: write },
      schema: {
        tags,
        summary: 'Delete user',
        description:
          'Refused while API keys act for the person, or if requests, tasks, reviews or policies name them. Deactivate them instead.',
        params: PersonParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deletePerson(callOf(db, request), request.params.user_id);
      reply.code(204);
      return null;
    },
  );
}

export function deactivatePersonRoute(http: Http, tools: RouteTools) {
  const { db } = tools;
  http.post(
    '/api/users/:user_id/deactivate/',
    {
      config: { access: write },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Deactivate user',
        params: PersonParams,
        body: Reason,
        response: { 200: PersonView },
      },
    },
    async (request) => {
      const { params, body } = request;
      const change = { status: 'deactivated' } as const;
      const reason = body?.reason ?? null;
      return view(await changePerson(callOf(db, request), params.user_id, change, { reason }));
    },
  );
}

export function reactivatePersonRoute(http: Http, tools: RouteTools) {
  const { db } = tools;
  http.post(
    '/api/users/:user_id/reactivate/',
    {
      config: { access: write },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Reactivate user',
        params: PersonParams,
        body: Reason,
        response: { 200: PersonView },
      },
    },
    async (request) => {
      const { params, body } = request;
      const change = { status: 'active' } as const;
      const reason = body?.reason ?? null;
      return view(await changePerson(callOf(db, request), params.user_id, change, { reason }));
    },
  );
}

export function releasePersonRoute(http: Http, tools: RouteTools) {
  const { db } = tools;
  http.post(
    '/api/users/:user_id/release/',
    {
      config: { access: { scope: 'session', roles: ['owner'] } },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Release user from SCIM',
        description:
          'Makes the fields that an identity provider manages editable again. The provider manages again what it writes later.',
        params: PersonParams,
        response: { 200: PersonView },
      },
    },
    async (request) => {
      const { params } = request;
      await releasePerson(callOf(db, request), params.user_id);
      return view(await personOf(callOf(db, request), params.user_id));
    },
  );
}

const MergeView = Component('UserMerge', {
  dry_run: Type.Boolean(),
  into: PersonView,
  from: PersonView,
  changes: Type.Array(FieldChange, { description: 'The changes of the person who remains.' }),
  moved: MapOf(Type.Integer({ minimum: 0 }), {
    description: 'How many references move, are canceled or are revoked, by kind.',
  }),
});

export function mergePeopleRoute(http: Http, tools: RouteTools) {
  const { db } = tools;
  http.post(
    '/api/users/:user_id/merge/',
    {
      config: { access: write },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Merge another user into this one',
        description:
          'Moves the accounts, open requests and reviews, reports and apps of the other user, and deactivates that user. API keys and sign-in do not move: the keys are revoked. Cannot be undone. A repeated merge returns the result of the first.',
        params: PersonParams,
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({ default: false, description: 'Return what would move, and change nothing.' }),
          ),
        }),
        body: Component('NewUserMerge', {
          from: { ...Uuid, description: 'The user who is merged and deactivated.' },
        }),
        response: { 200: MergeView },
      },
    },
    async (request) => {
      const { params, body, query } = request;
      const wanted = { intoId: params.user_id, fromId: body.from, dryRun: query.dry_run ?? false };
      const { into, from, ...result } = await mergePeople(callOf(db, request), wanted);
      return { ...result, into: view(into), from: view(from) };
    },
  );
}
