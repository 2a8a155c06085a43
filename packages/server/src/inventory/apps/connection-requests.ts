import { transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import type { ConnectionRequest } from './queries/connection-requests.ts';
import * as queries from './queries/connection-requests.ts';

/** Requests that an application be connected (protocol 11). */
export function requestConnection(
  call: Call,
  wanted: { app_name: string; reason: string },
): Promise<ConnectionRequest> {
  const { userId } = call.principal;
  return transaction(call, async (tx) => {
    const request = await queries.insertConnectionRequest(tx, userId, wanted);
    await recordEvents(tx, [
      {
        type: 'app.connection_request.created',
        actor: call.cause.actor,
        subject: { type: 'platform_user', uuid: userId },
        source: call.cause.source,
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
export function listConnectionRequests(call: Call, page: Page): Promise<Slice<ConnectionRequest>> {
  return queries.listConnectionRequests(
    call,
    call.principal.role === 'member' ? call.principal.userId : null,
    page,
  );
}
