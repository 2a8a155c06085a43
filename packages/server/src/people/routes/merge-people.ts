import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { mergePeople } from '../merge.ts';
import { FieldChange, PersonParams, PersonView, tags, write } from './schemas.ts';
import { type PeopleTools, requirePerson, view } from './tools.ts';

const MergeView = Type.Object({
  dry_run: Type.Boolean(),
  into: PersonView,
  from: PersonView,
  changes: Type.Array(FieldChange, { description: 'The changes of the person who remains.' }),
  moved: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'How many references move, are canceled or are revoked, by kind.',
  }),
});

export function mergePeopleRoute(http: Http, tools: PeopleTools) {
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
        body: Type.Object({ from: { ...Uuid, description: 'The user who is merged and deactivated.' } }),
        response: { 200: MergeView },
      },
    },
    async (request) => {
      const { principal, params, body, query } = request;
      const wanted = { intoId: params.user_id, fromId: body.from, dryRun: query.dry_run ?? false };
      const { into, from, ...result } = await mergePeople(db, principal, causeOf(request), tools, wanted);
      return { ...result, into: view(into), from: view(from) };
    },
  );
}
