import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { addApp, COUNT_ACCOUNTS, COUNT_MEMBERS } from './kit/apps.ts';
import { quantile, timed } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `reviews`: opens a review of 1,000,000 items (`--small`: 100,000), a third of them accounts and the others their groups,
 * and decides 10,000 items by ten requests of 1,000. All the while, somebody lists accounts, people, events and items. The floor of the
 * opening is one `insert ... select` of the same items.
 */
const GROUPS = 500;
const DECIDED = 10_000;
const PAGE = 1000;
/** A request in between is sent each of these milliseconds, or once the one before has its reply. */
const EVERY_MS = 25;

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase([...DURABLE, 'shared_buffers=512MB']));
  const service = await use(startService(database.url));
  await fill(service, database.client, small ? 33_333 : 333_333);
  await measure(service, database.client);
}

interface Cycle {
  external_uuid: string;
  status: string;
  progress: { items: number };
}

async function measure(service: Service, client: pg.Client) {
  const usual = [
    '/api/accounts/?limit=50',
    '/api/users/?limit=50',
    '/api/events/?limit=50',
    '/api/reviews/cycles/',
  ];
  const quiet = await beside(service, usual, () => sleep(3000));

  const { external_uuid: review } = await service.call<Cycle>('POST', '/api/reviews/', {
    name: 'Everything',
  });
  let cycle = {} as Cycle;
  const opening = await beside(service, usual, async () => {
    cycle = await service.call<Cycle>('POST', `/api/reviews/${review}/start/`);
    while (cycle.status === 'scheduled') {
      await sleep(100);
      cycle = await service.call<Cycle>('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
    }
  });

  await client.query('create temp table floor (like review_item including all)');
  const floor = (await timed(() => client.query('insert into floor select * from review_item'))) / 1000;

  const path = `/api/reviews/cycles/${cycle.external_uuid}`;
  const ids = (
    await client.query<{ id: string }>(
      `select id from review_item where cycle_id = $1 order by id limit ${2 * DECIDED}`,
      [cycle.external_uuid],
    )
  ).rows.map(({ id }) => id);
  const withItems = [...usual, `${path}/items/?limit=50`];
  const decide = (items: string[], decision: string) => async () => {
    for (let at = 0; at < items.length; at += PAGE)
      await service.call('POST', `${path}/decisions/`, {
        items: items.slice(at, at + PAGE),
        decision,
        comment: 'Known.',
      });
  };
  const keeping = await beside(service, withItems, decide(ids.slice(0, DECIDED), 'keep'));
  const revoking = await beside(service, withItems, decide(ids.slice(DECIDED), 'revoke'));

  const row = (name: string, { seconds, times }: Measured) => {
    const shares = [0.5, 0.95, 1].map((share) => quantile(times, share));
    return [name, seconds, times.length, ...shares];
  };
  printTable(
    `a review of ${cycle.progress.items.toLocaleString('en-US')} items (aims: open in 60 s, 10,000 decisions in 2 s); other requests in ms (aim: under 250)`,
    ['', 'seconds', 'other requests', 'median', 'p95', 'longest'],
    [
      row('nothing', quiet),
      row('opening', opening),
      row('10,000 kept', keeping),
      row('10,000 revoked', revoking),
    ],
  );
  console.log(`floor: one insert ... select of the items took ${floor.toFixed(1)} s`);
  await service.printPeakMemory();
}

interface Measured {
  seconds: number;
  /** The times of the requests in between, in milliseconds. */
  times: number[];
}

/** Measures how long `work` takes, and the requests to `paths` in turn beside it. */
async function beside(service: Service, paths: string[], work: () => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const ms = await timed(() => service.call('GET', paths[turn % paths.length] as string));
      times.push(ms);
      await sleep(Math.max(0, EVERY_MS - ms));
    }
  })();
  const seconds = (await timed(work)) / 1000;
  isOver = true;
  await asking;
  return { seconds, times };
}

/** Fills an app with accounts of as many people, two groups each. A tenth of the people are managers. */
async function fill(service: Service, client: pg.Client, accounts: number) {
  await addApp(service, 'Directory', { user: 'account', group: 'group' });
  await client.query(`
    create temp table kind as
      select a.org_id, a.id as app_id, r.id as type_id, r.type from app a
      join resource_type r on r.org_id = a.org_id and r.clone_group_id = a.clone_group_id;
    create temp table seed as
      select k.org_id, k.app_id, k.type_id, n, uuidv7() as person_id, uuidv7() as account_id
      from kind k, generate_series(1, ${accounts}) n where k.type = 'account';
    analyze seed;
    insert into platform_user (org_id, id, email, username, first_name, last_name, role, status, manager_id)
      select s.org_id, s.person_id, 'p' || s.n || '@example.com', 'p' || s.n, 'Ann', 'Number ' || s.n, 'member', 'active', m.person_id
      from seed s left join seed m on m.n = s.n / 10;
    insert into account (org_id, id, app_id, resource_type_id, external_id, email, username, display_name, status, user_id)
      select org_id, account_id, app_id, type_id, 'u' || n, 'p' || n || '@example.com', 'p' || n, 'Ann Number ' || n, 'ACTIVE', person_id
      from seed;
    ${COUNT_ACCOUNTS};
    create temp table seed_group as
      select org_id, app_id, type_id, n, uuidv7() as id from kind, generate_series(0, ${GROUPS - 1}) n where type = 'group';
    insert into entitlement (org_id, id, app_id, resource_type_id, external_id, name)
      select org_id, id, app_id, type_id, 'g' || n, 'Group ' || n from seed_group;
    insert into membership (org_id, account_id, entitlement_id)
      select s.org_id, s.account_id, g.id from seed s cross join generate_series(0, 1) j
      join seed_group g on g.n = (s.n * 7 + j * 131) % ${GROUPS};
    ${COUNT_MEMBERS};
`);
  await client.query('vacuum analyze platform_user, account, membership, entitlement');
}
