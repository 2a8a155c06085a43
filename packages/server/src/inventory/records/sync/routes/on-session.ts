import { appOf } from '#inventory/apps/apps.ts';
import type { Call } from '#kit/identity.ts';
import { sessionOf } from '../../sessions/find.ts';

/** Returns an app and its session. Throws 404 for one that does not exist, and 403 for an app that the caller may not access. */
export async function sessionIn(call: Call, id: string, { app_id = '' }: Record<string, string>) {
  const app = await appOf(call, app_id);
  return { app, session: await sessionOf(call, app.id, id) };
}
