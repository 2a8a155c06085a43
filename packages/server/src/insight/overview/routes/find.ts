import { Type } from 'typebox';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { requireAllApps } from '../../../kit/identity/principal.ts';
import { findRecords } from '../find.ts';
import { FOUND_KINDS } from '../found.ts';

const Query = Type.Object({
  q: Type.String({
    default: '',
    maxLength: 200,
    description:
      'Part of a name or an email, or the number of a request. Case does not matter. Empty finds nothing.',
  }),
});

const Results = Component('FoundRecords', {
  results: Type.Array(
    Component('FoundRecord', {
      kind: Type.Enum([...FOUND_KINDS]),
      external_uuid: Uuid,
      name: Type.String(),
      about: Type.String({
        description:
          'The email of a person, the app of an account, the status of a request. Empty otherwise.',
      }),
      status: Nullable(Type.String({ description: 'The status of a person or an account.' })),
    }),
    { description: 'At most 5 of each kind, those whose names begin with the text first.' },
  ),
});

export function findRoute(http: Http) {
  http.get(
    '/api/find/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor', 'member'] },
        reads: 'replica',
      },
      onRequest: async ({ principal }) => requireAllApps(principal, 'searching the organization'),
      schema: {
        tags: ['Organization'],
        summary: 'Find records by name',
        description:
          'Finds people, accounts, apps, groups of people, requests, policies and access reviews. Members find apps and the requests that concern them. Keys find accounts and requests only with the scope read. Text is found anywhere from three characters on, and two characters only where a word begins. One character finds nothing, except a request by its number.',
        querystring: Query,
        response: { 200: Results },
      },
    },
    async (request) => ({
      results: (await findRecords(callOf(request.reads.db, request), request.query.q.trim())).map(
        ({ id, ...found }) => ({
          external_uuid: id,
          ...found,
        }),
      ),
    }),
  );
}
