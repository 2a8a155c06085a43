import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { dismissDuplicate, listDismissals, restoreDuplicate } from '../dismissals.ts';
import { listDuplicates } from '../duplicates.ts';
import { DUPLICATE_REASONS } from '../person.ts';
import { DismissalView, dismissalView } from './dismissal-schemas.ts';
import { PersonView, tags, write } from './schemas.ts';
import { view } from './tools.ts';

const DuplicateView = Component('Duplicate', {
  people: Type.Array(PersonView, { description: 'The two users.' }),
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(Type.Enum([...DUPLICATE_REASONS]), {
    description:
      'The same employee number, emails that look alike, the same name, the same part of the email before the @, or an email that passed from one to the other.',
  }),
});

export function listDuplicatesRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/users/duplicates/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags,
        summary: 'List possible duplicates',
        description:
          'Pairs of users who may be the same person, the likeliest first, without dismissed ones.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(DuplicateView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listDuplicates(
        within(request.reads.db, request.principal.orgId),
        page,
      );
      const pairs = results.map((pair) => ({ ...pair, people: pair.people.map(view) }));
      return listReply(request, origin(request), page, { count, results: pairs });
    },
  );
}

export function listDismissedDuplicatesRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/users/duplicates/dismissed/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      schema: {
        tags,
        summary: 'List dismissed duplicates',
        description: 'Pairs of users who were marked as different, the latest first.',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(DismissalView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listDismissals(
        within(request.reads.db, request.principal.orgId),
        page,
      );
      return listReply(request, origin(request), page, { count, results: results.map(dismissalView) });
    },
  );
}

export function dismissDuplicateRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/users/duplicates/dismissed/',
    {
      config: { access: write },
      schema: {
        tags,
        summary: 'Dismiss a possible duplicate',
        description:
          'Records that two users are different people, so that the list of possible duplicates leaves them out. A repeated dismissal changes nothing.',
        body: Component('NewDuplicateDismissal', {
          users: Type.Array(Uuid, { minItems: 2, maxItems: 2, description: 'The two users.' }),
        }),
        response: { 200: DismissalView },
      },
    },
    async (request) => dismissalView(await dismissDuplicate(callOf(db, request), request.body.users)),
  );
}

export function restoreDuplicateRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/users/duplicates/dismissed/:user_id/:other_id/',
    {
      config: { access: write },
      schema: {
        tags,
        summary: 'Undo the dismissal of a possible duplicate',
        description:
          'Takes the two users in any order. The pair is listed again if the two still look alike.',
        params: Type.Object({ user_id: Uuid, other_id: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { user_id, other_id } = request.params;
      await restoreDuplicate(callOf(db, request), [user_id, other_id]);
      reply.code(204);
      return null;
    },
  );
}
