import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { checkCondition } from '../policies.ts';
import { allApps, managing, tags } from './schemas.ts';

const Check = Type.Object({
  condition: Type.String(),
  of: Type.Optional(
    Type.Enum(['policy', 'review'], {
      default: 'policy',
      description: 'Where the condition is used: in a policy, or in the scope of an access review.',
    }),
  ),
});

export function checkConditionRoute(http: Http) {
  http.post(
    '/api/policies/check/',
    {
      config: managing,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Check a condition',
        description:
          'Stores nothing. Returns 400 with the line and column of the error if the condition is not valid.',
        body: Check,
        response: { 200: Type.Object({ ok: Type.Literal(true) }) },
      },
    },
    async ({ body: { condition, of = 'policy' } }) => {
      checkCondition(condition, of);
      return { ok: true as const };
    },
  );
}
