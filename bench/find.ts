import { accounts as accountsOf, addApp, fullSync } from './kit/apps.ts';
import { over, quantile, timesInTurns } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `find`: the search of the console among 1,000,000 accounts and 100,000 people (`--small`: a tenth), by texts that few, many and no names
 * contain. Floor: some accounts with the text through `pg` alone. Goal: 95 % of the searches in 100 ms.
 */
const ROUNDS = 40;
const WARM_UP = 4;
const GOAL_MS = 100;

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  const service = await use(startService(database.url));
  const { client } = database;
  const size = small ? 100_000 : 1_000_000;
  await fullSync(service, await addApp(service, 'Bench'), accountsOf(size));
  const people = size / 10;
  // Every tenth account belongs to a person.
  await client.query({
    text: `
      insert into platform_user (org_id, email, username, first_name, last_name)
      select o.id, 'user.' || n || '@example-' || n % 97 || '.com', 'user' || n, 'First' || n % 1000, 'Last' || n % 5000
      from organization o, generate_series(0, $1::integer - 1) as n`,
    values: [people],
  });
  await client.query('vacuum analyze');

  const someone = (round: number) => (round * 7919) % people;
  const rows: (string | number)[][] = [];
  for (const [name, textOf] of [
    ['an email', (round: number) => `user.${someone(round)}@example`],
    ['a user name', (round: number) => `user${someone(round)}`],
    ['a first name, of one in 1,000', (round: number) => `First${100 + (round % 900)} `],
    ['a first and a last name', (round: number) => `First${someone(round) % 1000} Last`],
    ['what all names contain', () => 'user'],
    ['two letters', () => 'us'],
    ['what no name contains', (round: number) => `nobody${round}`],
  ] as const) {
    const [ours = [], bare = []] = await timesInTurns(
      ROUNDS,
      [
        (round) => service.call('GET', `/api/find/?q=${encodeURIComponent(textOf(round))}`),
        (round) =>
          client.query({
            text: `
              select id, email from account
              where search_key(email || ' ' || username || ' ' || display_name) like '%' || search_key($1) || '%' limit 10`,
            values: [textOf(round)],
          }),
      ],
      WARM_UP,
    );
    const p95 = quantile(ours, 0.95);
    rows.push([name, quantile(ours, 0.5), p95, quantile(bare, 0.95), over(p95, GOAL_MS)]);
  }
  printTable(
    `searches among ${size.toLocaleString('en-US')} accounts and ${people.toLocaleString('en-US')} people, ms (goal: 95 % in ${GOAL_MS})`,
    ['by', 'median', '95 %', 'floor, 95 %', ''],
    rows,
  );
}
