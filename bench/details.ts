import type pg from 'pg';
import { account, accounts, addApp, fullSync } from './kit/apps.ts';
import { median, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `details`: lists of accounts by their last use, in an organization with a million accounts of which 80 % belong
 * to an app that says when accounts were used. Floor: the plain list in the same run. Then syncs of 100,000 accounts, each
 * with a last sign-in, an owner and attributes; the floor is the same sync without them.
 */
export async function run(options: Options, use: Use) {
  const scale = options.scale ?? (options.small ? 0.1 : 1);
  const database = await use(startDatabase([...DURABLE, 'shared_buffers=512MB']));
  const service = await use(startService(database.url));
  await measureSyncs(service, 100_000 * scale);
  await seed(service, database.client, 1_000_000 * scale);
  await measureLists(service, await seedOwners(service, database.client));
}

const DAY = 86_400_000;

async function measureSyncs(service: Service, size: number) {
  const plain = accounts(size);
  const detailed = (days: number) =>
    plain.map((record, index) => ({
      ...record,
      last_sign_in_at: new Date(Date.now() - ((index % 400) + days) * DAY).toISOString(),
      owner: `owner.${index % 1000}@example.com`,
      attributes: { title: `Title ${index % 50}`, level: index % 7 },
    }));
  const [without, having] = [await addApp(service), await addApp(service)];
  const rows: (string | number)[][] = [];
  const measure = async (name: string, records: ReturnType<typeof detailed>) => {
    const floor = await fullSync(service, without, plain);
    const ours = await fullSync(service, having, records);
    const [all, most] = [floor.push + floor.publish, ours.push + ours.publish];
    rows.push([name, size / most, all / most, ours.push, ours.publish, floor.push, floor.publish]);
  };
  await measure('first sync', detailed(1));
  await measure('unchanged re-sync', detailed(1));
  await measure('every last sign-in changed', detailed(0));
  printTable(
    `sync of ${size} accounts with details; ratio = time without them / our time`,
    ['', 'accounts/s', 'ratio', 'push s', 'publish s', 'push s without', 'publish s without'],
    rows,
  );
}

/** Adds two apps and copies an account of each. One account of a thousand was never used, every fourth not for 90 days. */
async function seed(service: Service, client: pg.Client, size: number) {
  const [observed, silent] = [await addApp(service), await addApp(service)];
  for (const app of [observed, silent]) await fullSync(service, app, [account(0, 0)]);
  const copies = (app: string, count: number) =>
    client.query(
      `insert into account (org_id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
        display_name, status, seen_at, created_at, since, not_before, change_id)
      select a.org_id, a.app_id, a.resource_type_id, 'copy' || n, n || a.email, 'copy' || n, a.first_name, a.last_name,
        a.display_name, a.status, a.seen_at, now() - interval '200 days', a.since, a.not_before, a.change_id
      from account a, generate_series(1, $2::integer) n where a.app_id = $1`,
      [app, count],
    );
  await copies(observed, size * 0.8);
  await copies(silent, size * 0.2);
  await client.query(
    `insert into account_detail (org_id, account_id, app_id, last_sign_in_at, digest)
    select org_id, id, app_id, case when n % 1000 > 0 then now() - n % 120 * interval '1 day' end, gen_random_uuid()
    from (select *, row_number() over (order by id) as n from account where app_id = $1) a
    on conflict do nothing`,
    [observed],
  );
  await client.query(
    `insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, status, false, $1 from account where external_id = 'copy1'`,
    [size / 2],
  );
  await client.query('vacuum analyze account, account_detail, account_count');
}

/** Makes every fifth account a service account, every 200th of them of one person. Returns the id of that person. */
async function seedOwners(service: Service, client: pg.Client): Promise<string> {
  const person = { email: 'owner@bench.example' };
  const { external_uuid: id } = await service.call<{ external_uuid: string }>('POST', '/api/users/', person);
  await client.query(
    `insert into account_owner (org_id, account_id, kind, owner_id)
    select org_id, id, 'service', case when n % 1000 = 0 then $1::uuid end
    from (select *, row_number() over (order by id) as n from account) a where n % 5 = 0 on conflict do nothing`,
    [id],
  );
  await client.query('vacuum analyze account_owner');
  return id;
}

const LISTS: [name: string, query: string][] = [
  ['all accounts', ''],
  ['not used for 90 days (25 %)', 'not_used_for_days=90'],
  ['not used for 90 days, from the newest', 'not_used_for_days=90&sort=-created'],
  ['not used for 90 days, by email', 'not_used_for_days=90&sort=email'],
  ['not used for 119 days (1 %)', 'not_used_for_days=119'],
  ['not used for 150 days (0.1 %)', 'not_used_for_days=150'],
  ['never used (0.1 %)', 'never_used=true'],
  ['last used before 1970 (none)', 'last_sign_in_before=1970-01-01'],
  ['all, by last sign-in', 'sort=last_sign_in'],
  ['all, by last sign-in, latest first', 'sort=-last_sign_in'],
  ['not used for 90 days, by last sign-in', 'not_used_for_days=90&sort=last_sign_in'],
  ['of one owner (0.1 %)', 'owner={owner}'],
  ['service accounts (20 %)', 'kind=service'],
];
const TIMES = 20;

async function measureLists(service: Service, owner: string) {
  const rows: (string | number)[][] = [];
  let floor = 0;
  for (const [name, query] of LISTS) {
    const path = `/api/accounts/?count_to=1000&${query.replace('{owner}', owner)}`;
    const ms = median(await timesOf(TIMES, () => service.call('GET', path), 1));
    floor ||= ms;
    rows.push([name, ms, floor / ms]);
  }
  printTable(
    'lists of accounts, count_to=1000, 50 on a page; ratio = time of the plain list / our time',
    ['', 'ms', 'ratio'],
    rows,
  );
}
