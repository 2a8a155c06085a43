import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../../kit/database/open.ts';
import { within } from '../../../../kit/database/organization.ts';
import { withApp } from '../../../apps/with-app.ts';
import { sessionOf } from '../find.ts';

/** Rejects a request for an app that does not exist or that the caller may not access, before its body is read (D6). */
export const onApp = withApp;

/** Does the same for an app and its session. */
export const onSession = (db: Db) => [
  withApp(db),
  async (request: FastifyRequest) => {
    const { sync_id } = request.params as { sync_id: string };
    await sessionOf(within(db, request.principal.orgId), request.bridgeApp.id, sync_id);
  },
];
