import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { changeAbsence, createAbsence, deleteAbsence, listAbsences } from '../absences.ts';
import {
  AbsenceChange,
  AbsenceParams,
  AbsenceView,
  absenceIn,
  absenceView,
  knownAbsence,
  NewAbsence,
  newAbsenceIn,
  settingAbsences,
} from './absence-schemas.ts';
import { PersonParams, read, tags } from './schemas.ts';
import { requirePerson } from './tools.ts';

export function listAbsencesRoute(http: Http, tools: RouteTools) {
  const { db, origin } = tools;
  http.get(
    '/api/users/:user_id/absences/',
    {
      config: { access: read },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: "List a user's absences",
        description: 'The absence that ends last comes first.',
        params: PersonParams,
        querystring: Type.Object({ ...pageQuery }),
        response: { 200: envelope(AbsenceView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listAbsences(callOf(db, request), request.params.user_id, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(absenceView) });
    },
  );
}

export function createAbsenceRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/users/:user_id/absences/',
    {
      config: settingAbsences,
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Set an absence',
        description: 'While the user is away, the deputy decides requests and reviews for them.',
        params: PersonParams,
        body: NewAbsence,
        response: { 201: AbsenceView },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const absence = newAbsenceIn(body);
      const created = await createAbsence(callOf(tools.db, request), params.user_id, absence);
      reply.code(201);
      return absenceView(created);
    },
  );
}

export function changeAbsenceRoute(http: Http, tools: RouteTools) {
  http.patch(
    '/api/users/:user_id/absences/:absence_id/',
    {
      config: settingAbsences,
      onRequest: knownAbsence(tools),
      schema: {
        tags,
        summary: 'Change an absence',
        params: AbsenceParams,
        body: AbsenceChange,
        response: { 200: AbsenceView },
      },
    },
    async (request) => {
      const { params, body } = request;
      const { user_id, absence_id } = params;
      return absenceView(
        await changeAbsence(callOf(tools.db, request), user_id, absence_id, absenceIn(body)),
      );
    },
  );
}

export function deleteAbsenceRoute(http: Http, tools: RouteTools) {
  http.delete(
    '/api/users/:user_id/absences/:absence_id/',
    {
      config: settingAbsences,
      onRequest: knownAbsence(tools),
      schema: { tags, summary: 'Remove an absence', params: AbsenceParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { user_id, absence_id } = request.params;
      await deleteAbsence(callOf(tools.db, request), user_id, absence_id);
      reply.code(204);
      return null;
    },
  );
}
