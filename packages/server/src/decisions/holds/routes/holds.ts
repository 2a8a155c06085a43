import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../../../kit/database/open.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { confirmHold, discardHold, getHold, listHolds } from '../holds.ts';
import { HoldItem, HoldKind, HoldStatus, holdItem } from './schemas.ts';

const tags = ['Holds'];
const deciding = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;

const HoldParams = Type.Object({ hold_id: Uuid });

/** Runs before the body is validated, so that 404 comes before 400 (D6). */
const knownHold = (db: Db) => async (request: FastifyRequest) => {
  await getHold(callOf(db, request), (request.params as { hold_id: string }).hold_id);
};

const Filters = Type.Object({
  ...pageQuery,
  kind: Type.Optional(HoldKind),
  status: Type.Optional(HoldStatus),
  client: Type.Optional({ ...Uuid, description: 'The API key, or the person who imported.' }),
  user: Type.Optional({ ...Uuid, description: 'Holds of changes of this user.' }),
});

export function listHoldsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/holds/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List holds',
        description: 'Newest first.',
        querystring: Filters,
        response: { 200: envelope(HoldItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { kind = null, status = null, client = null, user = null } = request.query;
      const filter = { kind, status, client, user };
      const { count, results } = await listHolds(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(holdItem) });
    },
  );
}

export function getHoldRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/holds/:hold_id/',
    {
      config: reading,
      onRequest: knownHold(db),
      schema: { tags, summary: 'Get hold', params: HoldParams, response: { 200: HoldItem } },
    },
    async (request) => holdItem(await getHold(callOf(db, request), request.params.hold_id)),
  );
}

export function confirmHoldRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/holds/:hold_id/confirm/',
    {
      config: deciding,
      onRequest: knownHold(db),
      schema: {
        tags,
        summary: 'Confirm hold',
        description:
          'The policies decide again about each person, and their tasks run, batch by batch. Returns 409 if the hold was decided.',
        params: HoldParams,
        response: { 200: HoldItem },
      },
    },
    async (request) => holdItem(await confirmHold(callOf(db, request), request.params.hold_id)),
  );
}

const Discard = Component('HoldDiscard', { reason: Type.String({ minLength: 1, maxLength: 2000 }) });

export function discardHoldRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/holds/:hold_id/discard/',
    {
      config: deciding,
      onRequest: knownHold(db),
      schema: {
        tags,
        summary: 'Discard hold',
        description:
          'Cancels the tasks that wait. The people stay as they are. Returns 409 if the hold was decided.',
        params: HoldParams,
        body: Discard,
        response: { 200: HoldItem },
      },
    },
    async (request) => {
      const { params, body } = request;
      return holdItem(await discardHold(callOf(db, request), params.hold_id, body.reason));
    },
  );
}
