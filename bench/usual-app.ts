import { account, addApp, complete } from './kit/apps.ts';
import type { Caller } from './kit/caller.ts';

export const ACCOUNTS = 5000;
export const PAGE = 100;

/** Returns the statuses only: a loud organization is refused on purpose. */
export const sender =
  ({ exchange }: Caller) =>
  async (...parameters: Parameters<Caller['exchange']>): Promise<number> =>
    (await exchange(...parameters)).status;

export const pageOf = (page: number) => ({
  records: Array.from({ length: PAGE }, (_, index) => ({
    ...account((page * PAGE + index) % ACCOUNTS, 0),
    memberships: {},
  })),
});

/** Adds an app with accounts. */
export async function fill(caller: Caller): Promise<string> {
  const { call } = caller;
  const app = await addApp(caller);
  const path = `/api/v1/bridge/apps/${app}/sync/`;
  const { sync_id } = await call<{ sync_id: string }>('POST', path);
  for (let page = 0; page < ACCOUNTS / PAGE; page++)
    await call('PUT', `${path}${sync_id}/account/`, pageOf(page));
  await complete(caller, `${path}${sync_id}/`);
  return app;
}
