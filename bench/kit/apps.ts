import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.ts';
import { inParallel } from './measure.ts';
import { KEY, type Service } from './service.ts';

const GROUPS = 500;
const PUSHERS = 4;
const PAGE = 100;

export interface Account {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  display_name: string;
  memberships: { group: { id: string }[] };
}

/** Creates an app with these resource types, by their slugs. Returns its id. */
export async function addApp(
  { call }: Pick<Caller, 'call'>,
  name = 'Bench',
  types: Record<string, 'account' | 'group'> = { group: 'group', account: 'account' },
): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/api/v1/bridge/apps/', { name });
  for (const [slug, type] of Object.entries(types))
    await call('POST', `/api/v1/bridge/apps/${id}/resource-types/`, { slug, name: slug, type });
  return id;
}

/** An account with two group references. Another version has another last name. */
export function account(index: number, version: number): Account {
  const group = (step: number) => ({ id: `g${(index * 7 + step * 131) % GROUPS}` });
  return {
    id: `u${index}`,
    email: `user.${index}@example-${index % 97}.com`,
    username: `user${index}`,
    first_name: `First${index % 1000}`,
    last_name: `Last${index % 5000}${version === 0 ? '' : ` v${version}`}`,
    display_name: `First${index % 1000} Last${index % 5000}`,
    memberships: { group: [group(0), group(1)] },
  };
}

export const accounts = (size: number): Account[] =>
  Array.from({ length: size }, (_, index) => account(index, 0));

/** One session from start to `completed`. Seconds, and pages a second of the first and the last tenth of the pages. */
export async function fullSync(service: Service, appId: string, records: Account[]) {
  const base = `/api/v1/bridge/apps/${appId}/sync/`;
  const bodies = pages(records).map((page) => Buffer.from(JSON.stringify({ records: page })));
  const groups = Array.from({ length: GROUPS }, (_, index) => ({ id: `g${index}`, name: `Group ${index}` }));
  const agent = new Agent({ keepAlive: true, maxSockets: PUSHERS });
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const { sync_id } = await service.call<{ sync_id: string }>('POST', base);
  for (const page of pages(groups)) await service.call('PUT', `${base}${sync_id}/group/`, { records: page });
  const moments: number[] = [];
  let next = 0;
  await inParallel(PUSHERS, async () => {
    for (let page = next++; page < bodies.length; page = next++) {
      await push(agent, `${service.baseUrl}${base}${sync_id}/account/`, bodies[page] as Buffer);
      moments.push(performance.now());
    }
  });
  const pushed = performance.now();
  const { user, system } = process.cpuUsage(cpuBefore);
  agent.destroy();
  await complete(service, `${base}${sync_id}/`);
  const tenth = Math.floor(moments.length / 10);
  const rate = (from: number, to: number) =>
    ((to - from) * 1000) / ((moments[to] ?? 0) - (moments[from] ?? 0));
  return {
    push: (pushed - started) / 1000,
    publish: (performance.now() - pushed) / 1000,
    clientCpu: (user + system) / 1e6,
    firstTenth: rate(0, tenth),
    lastTenth: rate(moments.length - 1 - tenth, moments.length - 1),
  };
}

/** Completes a session, and asks for its status until it is published. */
export async function complete(
  { call }: Pick<Caller, 'call'>,
  session: string,
  everyMs = 100,
): Promise<void> {
  await call('POST', `${session}complete/`);
  for (;;) {
    const { status } = await call<{ status: string }>('GET', session);
    if (status === 'completed') return;
    if (status !== 'completing') throw new Error(`The session ended as ${status}.`);
    await sleep(everyMs);
  }
}

/** Pushes a page with a fraction of the CPU time that `fetch` takes: the pushers share the cores with the service. */
const push = (agent: Agent, url: string, body: Buffer) =>
  new Promise<void>((resolve, reject) => {
    const headers = {
      authorization: `Api-Key ${KEY}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    request(url, { method: 'PUT', agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`PUT ${url}: ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end(body);
  });

const pages = <T>(records: T[]): T[][] =>
  Array.from({ length: Math.ceil(records.length / PAGE) }, (_, index) =>
    records.slice(index * PAGE, (index + 1) * PAGE),
  );

/** Fills the counts of accounts, which the server keeps itself, from accounts that were written past it. */
export const COUNT_ACCOUNTS = `
  insert into account_count (org_id, app_id, status, linked, n)
    select org_id, app_id, status, user_id is not null, count(*) from account group by 1, 2, 3, 4`;

/** The same for the members of groups. */
export const COUNT_MEMBERS = `
  insert into member_count (org_id, entitlement_id, n, folded)
    select org_id, entitlement_id, count(*), true from membership group by 1, 2`;
