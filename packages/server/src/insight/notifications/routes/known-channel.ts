import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../kit/database/open.ts';
import { within } from '../../../kit/database/organization.ts';
import { requireChannel } from '../channels.ts';

/** Runs before the body is validated, so that 404 comes before 400 (D6). */
export const knownChannel = (db: Db) => async (request: FastifyRequest) => {
  await requireChannel(
    within(db, request.principal.orgId),
    (request.params as { channel_id: string }).channel_id,
  );
};
