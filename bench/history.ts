import type pg from 'pg';
import { fill } from './history-seed.ts';
import { over, quantile, timed, timesOf } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { at, between, pick, type Question } from './kit/past.ts';
import { type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `history`: one page of each question about earlier access, in an organization with 1,000,000 accounts and
 * 10,000,000 closed periods (`--small`: a hundredth). Each round asks about another time, and about another person,
 * account or group where the question names one. Floor: reading as many rows by primary key through `pg` alone. Goal:
 * a median of less than 50 ms.
 */
const ROUNDS = 21;
const GOAL_MS = 50;

export async function run({ small }: Options, use: Use) {
  const settings = ['max_wal_size=1GB', 'wal_level=minimal', 'max_wal_senders=0', 'shared_buffers=512MB'];
  const database = await use(startDatabase(settings));
  const size = small ? { accounts: 10_000, people: 1000 } : { accounts: 1_000_000, people: 100_000 };
  await fill(database.url, database.client, size);
  const service = await use(startService(database.url));
  await measure(service, database.client);
}

/** Ids of records to ask about. `busy` had the most memberships; the others are a sample. */
interface Sample {
  accounts: string[];
  people: string[];
  apps: { id: string; groups: string[] }[];
}

async function measure(service: Service, client: pg.Client) {
  const { typical, busy } = await sample(client);
  const rows: (string | number)[][] = [];
  for (const [kind, records] of [
    ['sample', typical],
    ['busiest', busy],
  ] as const) {
    for (const [name, path] of questions(records)) {
      let most = 0;
      const times = await timesOf(ROUNDS, async (round) => {
        const { results } = await service.call<Page>('GET', path(round));
        most = Math.max(most, results?.length ?? 1);
      });
      const floor = await floorOf(client, most);
      const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
      rows.push([`${name}, ${kind}`, most, median, p95, quantile(floor, 0.5), over(median, GOAL_MS)]);
    }
  }
  printTable(
    `one page, ms (goal: a median of less than ${GOAL_MS})`,
    ['', 'most rows', 'median', 'p95', 'floor', ''],
    rows,
  );
}

interface Page {
  results?: unknown[];
}

function questions({ accounts, people, apps }: Sample): Question[] {
  const group = (round: number) => {
    const app = pick(apps, round);
    return `app=${app.id}&slug=group&resource=${pick(app.groups, round)}`;
  };
  const subjects: [string, (round: number) => string][] = [
    ['user', (round) => `user=${pick(people, round)}`],
    ['account', (round) => `account=${pick(accounts, round)}`],
    ['app', (round) => `app=${pick(apps, round).id}`],
    ['resource', group],
  ];
  return [
    ['a request without history', () => '/api/me/'],
    ['accounts as of', (round) => `/api/accounts/?as_of=${at(round)}&app=${pick(apps, round).id}`],
    ['accounts as of, suspended', (round) => `/api/accounts/?as_of=${at(round)}&status=SUSPENDED`],
    ['account as of', (round) => `/api/accounts/${pick(accounts, round)}/?as_of=${at(0)}`],
    ['resources as of', (round) => `/api/apps/${pick(apps, round).id}/resources/?as_of=${at(round)}`],
    ['access of a person as of', (round) => `/api/users/${pick(people, round)}/access/?as_of=${at(round)}`],
    ...subjects.flatMap(([name, subject]): Question[] => [
      [`periods of ${name}`, (round) => `/api/history/access/?${subject(round)}`],
      [`periods of ${name}, bounded`, (round) => `/api/history/access/?${subject(round)}&${between(round)}`],
    ]),
    ...subjects
      .filter(([name]) => name !== 'account')
      .map(
        ([name, subject]): Question => [
          `compare by ${name}`,
          (round) => `/api/history/compare/?${subject(round)}&${between(round)}`,
        ],
      ),
  ];
}

/** The busiest accounts have the lowest numbers in the seed. Half of all accounts belong to the first app. */
async function sample(client: pg.Client): Promise<{ typical: Sample; busy: Sample }> {
  const read = async (text: string) => (await client.query<{ id: string; user: string }>(text)).rows;
  const random = await read(`
    select id, user_id as user from account where user_id is not null order by md5(id::text) limit 50`);
  const most = await read(`
    select a.id, a.user_id as user from seed_account s join account a on a.org_id = s.org_id and a.id = s.id
    where user_id is not null order by n limit 5`);
  const apps = (await read('select app_id as id from seed_app order by i')).map(({ id }) => ({
    id,
    groups: Array.from({ length: 25 }, (_, i) => `g${i * 20}`),
  }));
  const of = (found: typeof random, inApps: typeof apps): Sample => ({
    accounts: found.map(({ id }) => id),
    people: found.map(({ user }) => user),
    apps: inApps,
  });
  return { typical: of(random, apps.slice(1)), busy: of(most, apps.slice(0, 1)) };
}

/** Milliseconds to read `n` closed memberships by their primary keys, other ones in each round. */
async function floorOf(client: pg.Client, n: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { rows: keys } = await client.query(
      `select p.org_id, account_id, entitlement_id, ended_at::text, p.id from membership_period p
      where account_id in (select id from account where id > md5($1)::uuid limit $2) limit $2`,
      [String(round), n],
    );
    const statement = {
      name: 'floor',
      text: `select p.* from jsonb_to_recordset($1) as k (org_id uuid, account_id uuid, entitlement_id uuid, ended_at timestamptz, id uuid)
        join membership_period p using (org_id, account_id, entitlement_id, ended_at, id)`,
      values: [JSON.stringify(keys)],
    };
    times.push(await timed(() => client.query(statement)));
  }
  return times;
}
