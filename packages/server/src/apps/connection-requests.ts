import { recordEvents } from '../events/record.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import type { Caller } from './admin.ts';
import type { ConnectionRequest } from './connection-requests-queries.ts';
import * as queries from './connection-requests-queries.ts';

/** Requests that an application be connected (protocol 11). */
export function requestConnection(
  db: Db,
  { principal, actor, source }: Caller,
  wanted: { app_name: string; reason: string },
): Promise<ConnectionRequest> {
  const { orgId, userId } = principal;
  return transaction(db, async (tx) => {
    const request = await queries.insertConnectionRequest(tx, orgId, userId, wanted);
    await recordEvents(tx, orgId, [
      {
        type: 'app.connection_request.created',
        actor,
        subject: { type: 'platform_user', uuid: userId },
        source,
        payload: {
          request_id: request.external_uuid,
          app_name: request.app_name,
          reason: request.reason,
          requester_id: userId,
          ...(request.requester === null ? {} : { requester_email: request.requester.email }),
        },
      },
    ]);
    return request;
  });
}

/** Lists connection requests, newest first. Members see only their own. */
export function listConnectionRequests(
  db: Db,
  { orgId, role, userId }: Principal,
  page: Page,
): Promise<Slice<ConnectionRequest>> {
  return queries.listConnectionRequests(db, orgId, role === 'member' ? userId : null, page);
}
