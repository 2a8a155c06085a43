import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { listPasskeysOf } from '../passkeys.ts';
import { PasskeyView } from './passkey-schemas.ts';
import { administer, PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function listPasskeysOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.get(
    '/api/users/:user_id/passkeys/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "List a person's passkeys",
        params: PersonParams,
        response: { 200: Type.Object({ results: Type.Array(PasskeyView) }) },
      },
    },
    async ({ principal, params }) => ({ results: await listPasskeysOf(db, principal, params.user_id) }),
  );
}
