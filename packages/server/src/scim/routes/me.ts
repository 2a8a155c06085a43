import type { Http } from '../../platform/http/server.ts';
import { ScimError } from '../errors.ts';
import { config, describe } from './tools.ts';

/** An API key is no user, so there is no `/Me` (RFC 7644, 3.11). */
export function meRoute(http: Http) {
  http.get(
    '/scim/v2/Me',
    { config, schema: describe('Refuse /Me', { status: 200, hasId: false }) },
    async () => {
      throw new ScimError('unprocessable', 'Gatehouse has no /Me. Use /Users.', { status: 501 });
    },
  );
}
