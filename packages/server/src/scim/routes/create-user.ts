import type { Http } from '../../platform/http/server.ts';
import { User } from '../schema.ts';
import { createUser } from '../users/create.ts';
import { callOf, config, describe, type ScimTools, sendResource } from './tools.ts';

export function createUserRoute(http: Http, tools: ScimTools) {
  http.post(
    '/scim/v2/Users',
    { config, schema: describe('Create user', { status: 201, hasId: false }) },
    async (request, reply) => {
      const resource = await createUser(callOf(tools, request), request.body);
      return sendResource(request, reply, User, resource, 201);
    },
  );
}
