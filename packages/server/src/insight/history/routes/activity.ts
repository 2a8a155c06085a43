import { Type } from 'typebox';
import { pageOf, pageQuery, route } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Component, Instant, Uuid } from '#kit/schemas.ts';
import { access, Event } from '#log/events/routes/schemas.ts';
import { sendJson } from '#log/events/routes/send-json.ts';
import { ACTIVITIES, activityOf } from '../activity.ts';
import { NextCursor } from './schemas.ts';

export const activityRoute = route(
  'GET',
  '/api/users/:user_id/activity/',
  {
    tag: 'People',
    config: { access, reads: 'replica' },
    before: ({ principal }) => requireAllApps(principal, 'reading events'),
    summary: 'List the activity of a user',
    description:
      'The events about the user, about their accounts while they belonged to them, and of their own actions, newest first.',
    params: { user_id: Uuid },
    query: {
      kind: Type.Optional(
        Type.Enum([...ACTIVITIES], {
          description:
            'access: accounts, groups and licenses. decisions: requests, reviews, tasks and policies. profile: the user, their role, groups and absences. sign_in: sessions, passwords, second factors and API keys.',
        }),
      ),
      cursor: Type.Optional({ ...Instant, description: 'The `next_cursor` of the previous page.' }),
      limit: pageQuery.limit,
    },
    reply: Component('ActivityPage', { results: Type.Array(Event), next_cursor: NextCursor }),
  },
  async ({ call, params, query, reply }) => {
    const { next, results } = await activityOf(call, params.user_id, query, pageOf(query).limit);
    return sendJson(reply, `{"next_cursor":${JSON.stringify(next)},"results":[${results}]}`);
  },
);
