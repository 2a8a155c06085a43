import type pg from 'pg';
import { fill, type Size, sizeAt } from './huge-seed.ts';
import { median, quantile, timesInTurns } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { at, between, pick, type Question } from './kit/past.ts';
import { type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `huge`: lists, event pages, reviews and history questions in a database with 10,000,000 accounts, 30,000,000
 * memberships, 100,000,000 events, a review cycle of 1,000,000 items and 1,000 organizations, and in one with a hundredth
 * of that. Asks about the largest organization, which has 60 % of the rows. Floor: the figure at a hundredth. Goal: at most
 * 1.5 times as long. `--scale=0.1`, the default, fills a tenth of the rows in 15 GB: the full size needs 150 GB.
 */
const DEFAULT_SCALE = 0.1;
const ROUNDS = 15;
const WARM_UP = 4;
const GOAL = 1.5;
/** Differences below this are noise. */
const NOISE_MS = 3;
/** An offset that both sizes have, and a count that both reach. */
const DEEP = 'offset=2950';
const COUNT_TO = 'count_to=500';

export async function run({ scale = DEFAULT_SCALE }: Options, use: Use) {
  const small = await use(open(scale / 100));
  const huge = await use(open(scale));
  const size = sizeAt(scale);
  const n = (count: number) => count.toLocaleString('en-US');
  printTable(
    `${n(size.accounts)} accounts, ${n(size.memberships)} memberships, ${n(size.events)} events, ${n(size.reviewItems)} review ` +
      `items, ${n(size.organizations)} organizations, and a hundredth of each; ms of one request (goal: ratio of at most ${GOAL})`,
    ['', 'hundredth', 'worst', 'huge', 'worst', 'ratio', ''],
    await compare(small, huge),
  );
}

interface Filled extends AsyncDisposable {
  service: Service;
  questions: Question[];
}

async function open(scale: number): Promise<Filled> {
  const size = sizeAt(scale);
  console.log(`\n${size.accounts.toLocaleString('en-US')} accounts`);
  const settings = ['fsync=off', 'synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0'];
  const memory = ['max_wal_size=16GB', 'shared_buffers=2GB', 'effective_cache_size=8GB', 'autovacuum=off'];
  const database = await startDatabase([...settings, ...memory]);
  const { client, url } = database;
  // Creates the tables.
  await (await startService(url))[Symbol.asyncDispose]();
  await fill(client, size);
  await report(client);
  const service = await startService(url);
  return {
    service,
    questions: questions(await sample(client, size)),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function compare(small: Filled, huge: Filled): Promise<(string | number)[][]> {
  const rows: (string | number)[][] = [];
  for (const [i, [name, ofHuge]] of huge.questions.entries()) {
    const ofSmall = small.questions[i]?.[1] ?? ofHuge;
    const [atSmall = [], atHuge = []] = await timesInTurns(
      ROUNDS,
      [
        (round) => small.service.call('GET', ofSmall(round)),
        (round) => huge.service.call('GET', ofHuge(round)),
      ],
      WARM_UP,
    );
    const [base, usual] = [median(atSmall), median(atHuge)];
    const isOver = usual > GOAL * base && usual > base + NOISE_MS;
    const [baseWorst, worst] = [quantile(atSmall, 1), quantile(atHuge, 1)];
    rows.push([name, base, baseWorst, usual, worst, usual / base, isOver ? 'over' : '']);
  }
  return rows;
}

async function report(client: pg.Client) {
  const { rows } = await client.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  console.log(`database: ${rows[0]?.size}`);
}

interface Sample {
  /** The largest app, which has half of the accounts, and the others. */
  big: string;
  apps: string[];
  accounts: string[];
  people: string[];
  /** Entitlements of the largest app by their members: few, and the most. */
  groups: string[];
  largest: string;
  cycle: string;
  /** The offset of the last list page of accounts. */
  lastOffset: number;
  middle: string;
  oldest: string;
}

async function sample(client: pg.Client, size: Size): Promise<Sample> {
  const read = async (text: string) =>
    (await client.query<{ id: string }>({ text, values: [] })).rows.map(({ id }) => id);
  const org = `(select org_id from seed_org where i = 1)`;
  const apps = await read(`select app_id as id from seed_app where i = 1 order by k`);
  const [count] = await read(`select sum(n)::text as id from account_count where org_id = ${org}`);
  const events = await client.query<{ middle: string; oldest: string }>(`
    select to_json(max(ingested_at) - (max(ingested_at) - min(ingested_at)) / 2) #>> '{}' as middle,
      to_json(min(ingested_at) + (max(ingested_at) - min(ingested_at)) / ${size.events} * 400) #>> '{}' as oldest
    from event_contract where org_id = ${org} and ingested_at is not null`);
  return {
    big: apps[0] ?? '',
    apps: apps.slice(1),
    accounts: await read(
      `select id from seed_account where org_id = ${org} and n % 10 > 0 order by md5(n::text) limit 50`,
    ),
    people: await read(
      `select id from seed_person where org_id = ${org} and n > 100 order by md5(n::text) limit 50`,
    ),
    groups: await read(
      `select id from seed_entitlement where i = 1 and k = 1 and number % 3 = 0 and number > 200 order by number`,
    ),
    largest: (await read('select id from seed_entitlement where i = 1 and k = 1 and number = 0'))[0] ?? '',
    cycle: (await read('select cycle_id as id from seed_review'))[0] ?? '',
    lastOffset: Number(count) - 50,
    middle: events.rows[0]?.middle ?? '',
    oldest: events.rows[0]?.oldest ?? '',
  };
}

function questions(s: Sample): Question[] {
  return [
    ['a request without a list', () => '/api/me/'],
    ...lists(s),
    ...events(s),
    ...reviews(s),
    ...history(s),
    ['overview', () => '/api/overview/'],
  ];
}

function lists({ big, apps, people, groups, largest, lastOffset }: Sample): Question[] {
  const list = (what: string, path: string, queries: [string, string | ((round: number) => string)][]) =>
    queries.map(
      ([name, query]): Question => [
        `${what}: ${name}`,
        (round) => `${path}?${typeof query === 'string' ? query : query(round)}`,
      ],
    );
  const counted = (queries: [string, string][]): [string, string][] =>
    queries.map(([name, query]) => [name, `${query}&${COUNT_TO}`]);
  const small = apps.at(-1);
  const resources = `/api/apps/${big}/resources/`;
  return [
    ...list('accounts', '/api/accounts/', [
      ['first page', ''],
      ['page 60', DEEP],
      ['last page', `offset=${lastOffset}`],
      ['by email', 'sort=email'],
      ['by email, page 60', `sort=email&${DEEP}`],
      ['newest first', 'sort=-created'],
      ['in the largest app', `app=${big}`],
      ['in a small app', `app=${small}`],
      ['in a small app, by email', `app=${small}&sort=email`],
      ['suspended', 'status=SUSPENDED'],
      ['suspended, in a small app', `app=${small}&status=SUSPENDED`],
      ['orphans', 'linked=false'],
      ['orphans, by email', 'linked=false&sort=email'],
      ['of a person', (round) => `user=${pick(people, round)}`],
      ...counted([
        ['search for one', 'email=.777%40'],
        ['search for 1 in 100', 'email=garcia'],
        ['search for all', 'search=example'],
        ['search for none', 'search=nobody-at-all'],
        ['search for two letters', 'email=zq'],
        ['search in a small app', `app=${small}&email=garcia`],
      ]),
    ]),
    ...list(
      'people',
      '/api/users/',
      counted([
        ['first page', ''],
        ['by email', 'sort=email'],
        ['by email, page 10', 'sort=email&offset=450'],
        ['search', 'q=garcia'],
        ['administrators', 'role=admin'],
        ['deactivated', 'status=deactivated'],
      ]),
    ),
    ...list('find', '/api/find/', [
      ['one word', 'q=garcia'],
      ['two words in any order', 'q=777+garcia'],
      ['a letter and a word', 'q=a+garcia'],
      ['two letters', 'q=an'],
      ['none', 'q=nobody+garcia'],
    ]),
    ...list('groups and licenses', resources, [
      ['first page', ''],
      ['page 4', 'offset=150'],
      ['licenses', 'slug=license'],
      ['search', 'q=group+30'],
    ]),
    ...list('groups and licenses of all apps', '/api/resources/', [
      ['first page', ''],
      ['with most members', 'sort=-members'],
      ['with leavers', 'of_leavers=true'],
      ['not used', 'not_used_for_days=90'],
      ['not reviewed', 'not_reviewed_for_days=90'],
      ['search', 'q=group+30'],
    ]),
    ...list(
      'members of the largest group',
      `${resources}${largest}/members/`,
      counted([
        ['first page', ''],
        ['page 4', 'offset=150'],
      ]),
    ),
    [`members of a group: first page`, (round) => `${resources}${pick(groups, round)}/members/`],
    ...list(
      'tasks',
      '/api/tasks/',
      counted([
        ['first page', ''],
        ['page 20', 'offset=950'],
        ['pending', 'status=pending'],
        ['failed', 'status=failed'],
        ['completed', 'status=completed'],
        ['in the largest app', `app=${big}`],
        ['failed, in a small app', `app=${small}&status=failed`],
        ['by action', 'action=suspend_account'],
        ['by error', 'error_code=TIMEOUT'],
        ['search for 1 in 100', 'email=garcia'],
        ['search for none', 'email=nobody-at-all'],
      ]),
    ),
    ['tasks: of a person', (round) => `/api/tasks/?user=${pick(people, round)}`],
    ['sync sessions of an app', () => `/api/apps/${big}/syncs/`],
  ];
}

function events({ middle, oldest }: Sample): Question[] {
  const page = (name: string, query: string): Question => [
    `events: ${name}`,
    () => `/api/events/?limit=200${query}`,
  ];
  const at = (time: string) => encodeURIComponent(time);
  return [
    page('newest', ''),
    page('both catalogs', '&catalog=all'),
    page('from the middle', `&occurred_at__lte=${at(middle)}`),
    page('oldest', `&occurred_at__lte=${at(oldest)}`),
    page('of a type', '&event_type=account.provisioned'),
    page('of a type, from the middle', `&event_type=account.provisioned&occurred_at__lte=${at(middle)}`),
    page('of a type, none', '&event_type=user.deleted'),
    page('of a prefix', '&event_type_prefix=app.sync.'),
    page('of a category', '&category=task'),
    page('of a severity', '&severity=high,critical'),
    page('of an actor', '&actor_uuid=00000000-0000-7000-8000-000000000123'),
    page('of a subject', '&subject_uuid=00000000-0000-7000-9000-000000000123'),
    page('of a subject, none', '&subject_uuid=00000000-0000-7000-9000-999999999999'),
    page('of an address', '&actor_ip=10.0.0.77'),
  ];
}

function reviews({ cycle, big, apps, people }: Sample): Question[] {
  const items = `/api/reviews/cycles/${cycle}/items/`;
  return [
    ['reviews: campaigns', () => '/api/reviews/'],
    ['reviews: cycles', () => '/api/reviews/cycles/'],
    ['reviews: my cycles', () => '/api/reviews/cycles/?mine=true'],
    ['reviews: a cycle', () => `/api/reviews/cycles/${cycle}/`],
    ['reviews: items, first page', () => items],
    ['reviews: items, page 15', () => `${items}?offset=700`],
    ['reviews: undecided items', () => `${items}?decision=none`],
    ['reviews: my queue', () => `${items}?mine=true&decision=none&${COUNT_TO}`],
    ['reviews: items of the largest app', () => `${items}?app=${big}&${COUNT_TO}`],
    ['reviews: items of a small app', () => `${items}?app=${apps.at(-1)}&${COUNT_TO}`],
    ['reviews: items of a person', (round) => `${items}?user=${pick(people, round)}`],
  ];
}

function history({ accounts, people, apps, big, groups }: Sample): Question[] {
  const subjects: [string, (round: number) => string][] = [
    ['a person', (round) => `user=${pick(people, round)}`],
    ['the largest app', () => `app=${big}`],
    ['an app', (round) => `app=${pick(apps, round)}`],
    ['a group', (round) => `app=${big}&slug=group&resource=e${201 + 3 * (round % groups.length)}`],
  ];
  return [
    ['history: accounts as of', (round) => `/api/accounts/?as_of=${at(round)}&app=${pick(apps, round)}`],
    ['history: accounts as of, suspended', (round) => `/api/accounts/?as_of=${at(round)}&status=SUSPENDED`],
    ['history: account as of', (round) => `/api/accounts/${pick(accounts, round)}/?as_of=${at(round)}`],
    ['history: groups as of', (round) => `/api/apps/${pick(apps, round)}/resources/?as_of=${at(round)}`],
    ['history: access of a person', (r) => `/api/users/${pick(people, r)}/access/?as_of=${at(r)}`],
    ['history: timeline of an account', (r) => `/api/history/access/?account=${pick(accounts, r)}`],
    ...subjects.flatMap(([name, subject]): Question[] => [
      [`history: timeline of ${name}`, (round) => `/api/history/access/?${subject(round)}`],
      [
        `history: timeline of ${name}, bounded`,
        (round) => `/api/history/access/?${subject(round)}&${between(round)}`,
      ],
      [`history: compare ${name}`, (round) => `/api/history/compare/?${subject(round)}&${between(round)}`],
    ]),
  ];
}
