import type { FastifyRequest } from 'fastify';
import type { RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { type Person, personOf } from '../people.ts';

export const view = <T extends Person>({ id, merged_into, succeeded_by, ...person }: T) => ({
  external_uuid: id,
  ...person,
  ...(merged_into == null ? {} : { merged_into }),
  ...(succeeded_by == null ? {} : { succeeded_by }),
});

/** An onRequest hook: throws 404 or 403 for the person in the address before the body is read (D6). */
export const requirePerson =
  ({ db }: RouteTools) =>
  async (request: FastifyRequest): Promise<void> => {
    await personOf(callOf(db, request), (request.params as { user_id: string }).user_id);
  };
