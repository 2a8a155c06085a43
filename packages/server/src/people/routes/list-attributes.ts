import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { textAttributes } from '../attribute-queries.ts';
import { tags } from './schemas.ts';

const Attributes = Type.Object({
  results: Type.Array(
    Type.Object({
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
    async (request) => ({ results: await textAttributes(request.reads.db, request.principal.orgId) }),
  );
}
