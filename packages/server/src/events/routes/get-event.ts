import { Type } from 'typebox';
import { notFound } from '../../platform/errors.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { type EventLog, findEvent } from '../list.ts';
import { keyCheckedByQuery } from './guards.ts';
import { Event, responses, tags } from './schemas.ts';
import { sendJson } from './send-json.ts';

/** Returns one event (protocol 4.12). */
export function getEventRoute(http: Http, log: EventLog) {
  http.get(
    '/api/events/:external_uuid/',
    {
      ...keyCheckedByQuery(log),
      schema: {
        tags,
        summary: 'Get one event',
        params: Type.Object({ external_uuid: Uuid }),
        response: responses(Event),
      },
    },
    async (request, reply) => {
      const { principal, params, reads } = request;
      const event = await findEvent(log, principal, params.external_uuid, reads);
      if (event === undefined) throw notFound('Event');
      return sendJson(reply, event);
    },
  );
}
