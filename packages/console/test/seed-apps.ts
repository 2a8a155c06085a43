import { type Api, until } from './api.ts';
import type { System } from './seed-company.ts';

interface Item {
  external_uuid: string;
  email: string;
}

export async function addApp(api: Api, name: string): Promise<string> {
  const { id } = await api.post('/api/v1/bridge/apps/', { name });
  for (const [slug, title, type] of [
    ['group', 'Groups', 'group'],
    ['license', 'Licenses', 'license'],
    ['account', 'Accounts', 'account'],
  ]) {
    await api.post(`/api/v1/bridge/apps/${id}/resource-types/`, { slug, name: title, type });
  }
  return id;
}

const PAGE = 100;

export async function push(api: Api, app: string, { groups, licenses, accounts }: System): Promise<string> {
  const { sync_id } = await api.post(`/api/v1/bridge/apps/${app}/sync/`);
  for (const [slug, records] of Object.entries({ group: groups, license: licenses, account: accounts })) {
    for (let at = 0; at < records.length; at += PAGE) {
      await api.put(`/api/v1/bridge/apps/${app}/sync/${sync_id}/${slug}/`, {
        records: records.slice(at, at + PAGE),
      });
    }
  }
  return sync_id;
}

/** Runs a sync session until it ends or is held. Returns its ID. */
export async function sync(api: Api, app: string, system: System): Promise<string> {
  const id = await push(api, app, system);
  const address = `/api/v1/bridge/apps/${app}/sync/${id}/`;
  await api.post(`${address}complete/`);
  await until(
    () => api.get(address),
    ({ status, held }) => status !== 'completing' || held !== undefined,
  );
  return id;
}

export const accountsOf = async (api: Api, app: string, email = ''): Promise<Item[]> =>
  everyOf(api, `/api/accounts/?app=${app}&email=${encodeURIComponent(email)}&`);

export async function everyOf(api: Api, path: string): Promise<Item[]> {
  const found: Item[] = [];
  for (;;) {
    const { count, results } = await api.get(`${path}limit=200&offset=${found.length}`);
    found.push(...results);
    if (found.length >= count) return found;
  }
}

/** Uploads a CSV file with the accounts of an app, applies it, and waits for its accounts. */
export async function uploadSheet(api: Api, app: string, csv: string): Promise<void> {
  const uploads = `/api/apps/${app}/uploads/`;
  const { upload_id, suggestion } = await api.postFile(`${uploads}?file_name=crew.csv`, csv);
  await api.post(`${uploads}${upload_id}/check/`, { mapping: suggestion });
  await until(
    () => api.get(`${uploads}${upload_id}/`),
    ({ status }) => status === 'planned',
  );
  await api.post(`${uploads}${upload_id}/apply/`);
  await until(
    () => accountsOf(api, app),
    ({ length }) => length > 0,
  );
}
