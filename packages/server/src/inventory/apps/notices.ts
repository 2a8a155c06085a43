import type { OrgDb } from '#kit/database.ts';
import type { Draft, Recipient } from '#log/notices/draft.ts';
import type { KindName } from '#log/notices/kinds.ts';
import { administrators, type Context, type Notices, toAll } from '#log/notices/notices.ts';
import { appsOwnedBy, readingOwnerOf } from './notice-facts.ts';

export const appNotices: Notices = { visible: { app: appsOwnedBy } };

export const appPage = (appId: string, tab?: string) =>
  `/apps/${appId}${tab === undefined ? '' : `?tab=${tab}`}`;

/** The owner of an app or, if they may not read what happens in it, the administrators. */
export async function ownerOrAdministrators(db: OrgDb, appId: string): Promise<Recipient[]> {
  const owner = await readingOwnerOf(db, appId);
  return owner === undefined ? administrators(db) : toAll([owner]);
}

/** Returns a notification for the app's owner and the administrators. */
export async function forOwnerAndAdministrators(
  { org, event, text }: Context,
  {
    kind,
    key,
    title,
    body,
    tab,
  }: { kind: KindName; key?: string; title: string; body: string; tab?: string },
): Promise<Draft[]> {
  const owner = await readingOwnerOf(org, text('app_id'));
  return [
    {
      kind,
      key: `${kind}:${key ?? event.id}`,
      to: [...(owner === undefined ? [] : toAll([owner])), ...(await administrators(org))],
      title,
      body,
      path: appPage(text('app_id'), tab),
      about: { type: 'app', id: text('app_id') },
      appId: text('app_id'),
    },
  ];
}
