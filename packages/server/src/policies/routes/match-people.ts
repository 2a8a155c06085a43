import { Type } from 'typebox';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { peopleMatching } from '../matches.ts';
import { allApps, reading, Trigger, tags } from './schemas.ts';

const Question = Type.Object({
  condition: Type.String(),
  trigger: Type.Optional(
    Type.Enum(Trigger.enum, {
      default: 'daily',
      description:
        'A policy for people who are created, deactivated or reactivated concerns only people with that status.',
    }),
  ),
  apps: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 20,
      description: 'The apps in which a condition on accounts can match. Absent: all apps.',
    }),
  ),
});

const Matches = Type.Object({
  count: Type.Integer({ description: 'How many people match, among those counted in `of`.' }),
  of: Type.Integer(),
  more: Type.Boolean({
    description:
      'Whether there are more people. At most 10,000 are looked at. If the condition reads accounts or apps, at most 2,000, and fewer if there are many apps: it is evaluated at most 50,000 times.',
  }),
  people: Type.Array(
    Type.Object({
      external_uuid: Uuid,
      email: Type.String(),
      first_name: Type.String(),
      last_name: Type.String(),
    }),
    { description: 'The first 10 people who match.' },
  ),
});

export function matchPeopleRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/policies/matches/',
    {
      config: reading,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Count the people whom a condition matches',
        description:
          'Stores nothing. Returns 400 with the line and column of the error if the condition is not valid.',
        body: Question,
        response: { 200: Matches },
      },
    },
    async (request) => {
      const { condition, trigger = 'daily', apps = null } = request.body;
      const isWanted = () => !request.raw.socket.destroyed;
      const { people, ...counts } = await peopleMatching(
        db,
        request.principal,
        { condition, trigger, apps },
        isWanted,
      );
      return {
        ...counts,
        people: people.map(({ id, email, first_name = '', last_name = '' }) => ({
          external_uuid: id,
          email,
          first_name,
          last_name,
        })),
      };
    },
  );
}
