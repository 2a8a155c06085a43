import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { listPasskeys } from '../passkeys.ts';
import { PasskeyView } from './passkey-schemas.ts';
import { ownWithoutFactor, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function listPasskeysRoute(http: Http, { db }: SignInTools) {
  http.get(
    '/auth/passkeys/',
    {
      config: ownWithoutFactor,
      schema: {
        tags,
        summary: 'List your passkeys',
        response: { 200: Type.Object({ results: Type.Array(PasskeyView) }) },
      },
    },
    async ({ principal }) => ({ results: await listPasskeys(db, principal) }),
  );
}
