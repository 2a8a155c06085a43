import type pg from 'pg';
import { account, accounts as accountsOf, addApp, fullSync } from './kit/apps.ts';
import { median, over, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `findings`: what is wrong among 1,000,000 accounts (`--small`: 100,000), of which nobody has any, so that each is a finding. Floor:
 * the same rows through `pg` alone. Goal: a page in 50 ms. Then publications of new accounts, 1 % of all, while their findings are followed and
 * while nobody does. Goal: at most 10 % slower.
 */
const ROUNDS = 20;
const PUBLICATIONS = { small: 5, whole: 2 };

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  const service = await use(startService(database.url));
  const { client } = database;
  const size = small ? 100_000 : 1_000_000;
  const app = await addApp(service, 'Bench');
  const records = accountsOf(size);
  await fullSync(service, app, records);
  await untilFollowed(client);
  await client.query('vacuum analyze');

  const list = '/api/findings/?limit=100&count_to=1000';
  const rows: (string | number)[][] = [];
  for (const [name, query, where] of [
    ['open', '', 'true'],
    ['of a kind', '&kind=orphaned_account', `kind = 'orphaned_account'`],
    ['of a rare kind', '&kind=held_sync', `kind = 'held_sync'`],
    ['of an app', `&app=${app}`, `app_id = '${app}'`],
    ['accepted', '&status=accepted', 'accepted_until > now()'],
    ['resolved', '&status=resolved', 'resolved_at is not null'],
  ]) {
    const ours = median(await timesOf(ROUNDS, () => service.call('GET', list + query), 2));
    const floor = `select * from finding where ${where} order by since desc, id desc limit 100`;
    const bare = median(await timesOf(ROUNDS, () => client.query(floor), 2));
    rows.push([name ?? '', ours, bare, bare / ours, over(ours, 50)]);
  }
  const summary = median(await timesOf(ROUNDS, () => service.call('GET', '/api/findings/summary/'), 2));
  rows.push(['summary of 90 days', summary, '', '', '']);
  printTable(
    `findings among ${size.toLocaleString('en-US')} accounts, ms; ratio = floor time / our time`,
    ['a page', 'ms', 'floor ms', 'ratio', ''],
    rows,
  );
  await publications({ service, client, app, size });
}

interface Bench {
  service: Service;
  client: pg.Client;
  app: string;
  size: number;
}

/** Publishes 1 % more accounts again and again, in turns with and without a follower. */
async function publications({ service, client, app, size }: Bench) {
  const times: Record<'followed' | 'alone', number[]> = { followed: [], alone: [] };
  const records = accountsOf(size);
  for (let round = 0; round < 2 * (size > 100_000 ? PUBLICATIONS.whole : PUBLICATIONS.small); round++) {
    const way = round % 2 === 0 ? 'followed' : 'alone';
    const place = way === 'followed' ? 'h.last_ingested_at' : `'infinity'`;
    await client.query(
      `update finding_cursor c set read_to = ${place}, checked_at = '9999-01-01' from event_head h where h.org_id = c.org_id`,
    );
    for (let n = 0; n < size / 100; n++) records.push(account(records.length, 0));
    times[way].push((await fullSync(service, app, records)).publish);
    if (way === 'followed') await untilFollowed(client);
  }
  const [followed, alone] = [median(times.followed), median(times.alone)];
  printTable(
    'publication of 1 % new accounts, s',
    ['followed', 'alone', 'ratio', ''],
    [[followed, alone, followed / alone, over(followed / alone, 1.1)]],
  );
}

/** Waits until the findings are up to date with the log. */
async function untilFollowed(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query(
      `select from event_head h left join finding_cursor c on c.org_id = h.org_id
      where c.org_id is null or c.asked_at is not null or c.read_to < h.last_ingested_at`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
