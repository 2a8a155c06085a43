import { setTimeout as sleep } from 'node:timers/promises';
import { newKey } from '../packages/server/src/directory/access/key-format.ts';
import { openDatabase } from '../packages/server/src/kit/database/open.ts';
import { transaction } from '../packages/server/src/kit/database/transaction.ts';
import { parseSecretKey } from '../packages/server/src/kit/secrets/secret-key.ts';
import { openSecrets } from '../packages/server/src/kit/secrets/secrets.ts';
import { addWithoutPassword } from '../packages/server/src/operate/organizations/create.ts';
import { account, addApp, complete } from './kit/apps.ts';
import { type Caller, callerOf } from './kit/caller.ts';
import { inParallel, quantile } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, SECRET_KEY, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `organizations`: 1,000 organizations (`--small`: 100) with 1,000 accounts each sync at the same time. A connector pushes one
 * page after the other, and repeats a request that the server puts off (429, 503). Prints how long the syncs took.
 */
const ACCOUNTS = 1000;
const PAGE = 100;
/** A sync may take that many times as long as the median. */
const AIM = 3;

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(DURABLE));
  // Behind a proxy: all connectors connect from this machine, and one address may not have as many connections.
  const service = await use(startService(database.url, { GATEHOUSE_TRUST_PROXY: '1' }));
  await measure(service, await createOrganizations(service, database.url, small ? 100 : 1000));
}

async function createOrganizations(service: Service, url: string, count: number): Promise<Caller[]> {
  const current = parseSecretKey(SECRET_KEY);
  if (current === undefined) throw new Error('The secret key is malformed.');
  const secrets = openSecrets({ current, old: [] });
  const database = await openDatabase({ url });
  const organizations: Caller[] = [];
  for (let n = 0; n < count; n++) {
    const slug = `org-${n}`;
    const apiKey = newKey();
    await transaction(database.db, (tx) =>
      addWithoutPassword(tx, secrets, { slug, name: slug, adminEmail: `admin@${slug}.example`, apiKey }),
    );
    organizations.push(callerOf(`${service.origin}/org/${slug}`, apiKey));
  }
  await database.close();
  return organizations;
}

async function measure(service: Service, organizations: Caller[]) {
  const apps = await inTurns(organizations, 8, (organization) => addApp(organization));
  let putOff = 0;
  const send = async <T>({ exchange }: Caller, method: string, path: string, body?: unknown): Promise<T> => {
    for (;;) {
      const { status, text, wait } = await exchange(method, path, body);
      if (status < 300) return (text === '' ? undefined : JSON.parse(text)) as T;
      if (status !== 429 && status !== 503) throw new Error(`${method} ${path}: ${status} ${text}`);
      putOff++;
      await sleep(wait * 1000);
    }
  };
  const started = performance.now();
  const times = await Promise.all(
    organizations.map(async (organization, n) => {
      const path = `/api/v1/bridge/apps/${apps[n]}/sync/`;
      const { sync_id } = await send<{ sync_id: string }>(organization, 'POST', path);
      for (let at = 0; at < ACCOUNTS; at += PAGE) {
        const records = Array.from({ length: PAGE }, (_, index) => account(at + index, 0));
        await send(organization, 'PUT', `${path}${sync_id}/account/`, { records });
      }
      const call = <T>(method: string, path: string) => send<T>(organization, method, path);
      await complete({ call }, `${path}${sync_id}/`, 1000);
      return (performance.now() - started) / 1000;
    }),
  );
  const at = (share: number) => quantile(times, share);
  printTable(
    `syncs of ${organizations.length} organizations with ${ACCOUNTS} accounts each, seconds; ratio of the slowest to the median (aim: at most ${AIM})`,
    ['', 'fastest', 'median', 'p95', 'slowest', 'ratio', 'accounts/s', 'put off'],
    [
      [
        'all at the same time',
        at(0),
        at(0.5),
        at(0.95),
        at(1),
        at(1) / at(0.5),
        (organizations.length * ACCOUNTS) / at(1),
        String(putOff),
      ],
    ],
  );
  await service.printPeakMemory();
}

/** Does `work` for all items, that many at the same time. */
async function inTurns<T, R>(items: T[], workers: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await inParallel(workers, async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as T);
  });
  return results;
}
