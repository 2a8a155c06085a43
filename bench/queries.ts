import type pg from 'pg';
import { median, over, timesInTurns } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';
import { fill } from './queries-seed.ts';

/**
 * Scenario `queries`: the first page of queries, and how many rows they find up to 10,000, in an organization with 100,000 accounts, 20,000 people
 * and 500,000 memberships (`--small`: a tenth). Floor: the ids of a page in the same order, and a count of the same table up to the same number,
 * through `pg` alone. Goals: a page in 100 ms, a count in 300 ms.
 */
const ROUNDS = 9;
const WARM_UP = 2;
const GOALS = { page: 100, count: 300 };
const COUNT_TO = 10_000;

interface Case {
  name: string;
  query: object;
  /** The rows that the floor reads, and their order. */
  floor: { from: string; order: string };
}

const is = (field: string, value: unknown, operator = 'is') => ({ field, operator, value });
const FLOORS = {
  people: { from: 'platform_user', order: 'email_key(email), id' },
  accounts: { from: 'account', order: 'lower(email), id' },
  access: { from: 'membership', order: 'entitlement_id, account_id' },
};
const CASES: Case[] = [
  { name: 'people', query: { subject: 'people' }, floor: FLOORS.people },
  { name: 'accounts', query: { subject: 'accounts' }, floor: FLOORS.accounts },
  { name: 'access', query: { subject: 'access' }, floor: FLOORS.access },
  {
    name: 'unused accounts of leavers in apps with high risk',
    query: {
      subject: 'accounts',
      conditions: [
        is('account.status', ['ACTIVE']),
        is('user.left', true),
        is('app.risk', ['high']),
        is('account.unused_days', 90, 'at_least'),
      ],
    },
    floor: FLOORS.accounts,
  },
  {
    name: 'high-risk access without a decision',
    query: {
      subject: 'access',
      conditions: [is('resource.risk', ['high']), { field: 'access.grants', operator: 'is_empty' }],
    },
    floor: FLOORS.access,
  },
  {
    name: 'people who left, with accounts',
    query: { subject: 'people', conditions: [is('user.left', true), is('user.accounts', 1, 'at_least')] },
    floor: FLOORS.people,
  },
  {
    name: 'access sorted by person',
    query: { subject: 'access', sort: 'user.email' },
    floor: FLOORS.access,
  },
  {
    name: 'access of an email in 20,000',
    query: { subject: 'access', conditions: [is('user.email', ['person7@example.com'])] },
    floor: FLOORS.access,
  },
];

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  const service = await use(startService(database.url));
  const { client } = database;
  const accounts = small ? 10_000 : 100_000;
  await fill(client, accounts);
  const orgId = (await client.query('select id from organization')).rows[0].id;
  const rows: (string | number)[][] = [];
  for (const one of CASES) rows.push(await measured(service, client, orgId, one));
  printTable(
    `queries among ${accounts.toLocaleString('en-US')} accounts, ms (goals: a page in ${GOALS.page}, a count up to ${COUNT_TO.toLocaleString('en-US')} in ${GOALS.count})`,
    ['query', 'rows', 'page', 'floor', 'page and count', 'floor', ''],
    rows,
  );
}

/** The count of a page that needs none beyond its own rows takes no time worth mentioning, so that the difference is that of the count. */
async function measured(
  service: Service,
  client: pg.Client,
  orgId: string,
  { name, query, floor: { from, order } }: Case,
) {
  const path = `/api/queries/run/?limit=50&query=${encodeURIComponent(JSON.stringify(query))}`;
  const { count, more } = await service.call<{ count: number; more?: boolean }>(
    'GET',
    `${path}&count_to=${COUNT_TO}`,
  );
  const [pages = [], barePages = [], both = [], bareCounts = []] = await timesInTurns(
    ROUNDS,
    [
      () => service.call('GET', `${path}&count_to=1`),
      () => client.query(`select * from ${from} where org_id = $1 order by ${order} limit 50`, [orgId]),
      () => service.call('GET', `${path}&count_to=${COUNT_TO}`),
      () =>
        client.query(
          `select count(*) from (select from ${from} where org_id = $1 limit ${COUNT_TO + 1}) found`,
          [orgId],
        ),
    ],
    WARM_UP,
  );
  const [page, all] = [median(pages), median(both)];
  return [
    name,
    `${count}${more ? '+' : ''}`,
    page,
    median(barePages),
    all,
    median(barePages) + median(bareCounts),
    over(page, GOALS.page) || over(all - page, GOALS.count),
  ];
}
