import type { Http } from '../../platform/http/server.ts';
import { ScimError } from '../errors.ts';
import { config, describe } from './tools.ts';

/** Replies 501, since an API key is not a user (RFC 7644, 3.11). */
export function meRoute(http: Http) {
  http.get(
    '/scim/v2/Me',
    { config, schema: describe('Refuse /Me', { status: 200, hasId: false }) },
    async () => {
      throw new ScimError('unprocessable', 'Gatehouse does not support /Me. Use /Users instead.', {
        status: 501,
      });
    },
  );
}
