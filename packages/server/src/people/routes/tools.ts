import type { FastifyRequest } from 'fastify';
import type { RouteTools } from '../../platform/http/server.ts';
import type { MergeHook } from '../merge.ts';
import { type PeopleHook, type Person, personOf } from '../people.ts';

/** The people routes' dependencies: besides the database, the hooks of higher floors. */
export interface PeopleTools extends RouteTools {
  onPeople: readonly PeopleHook[];
  onMerge: readonly MergeHook[];
}

export const view = <T extends Person>({ id, merged_into, ...person }: T) => ({
  external_uuid: id,
  ...person,
  ...(merged_into == null ? {} : { merged_into }),
});

/** An onRequest hook: throws 404 or 403 for the person in the address before the body is read (D6). */
export const requirePerson =
  ({ db }: PeopleTools) =>
  async (request: FastifyRequest): Promise<void> => {
    await personOf(db, request.principal, (request.params as { user_id: string }).user_id);
  };
