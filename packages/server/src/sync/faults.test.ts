import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { type Hold, holdBefore } from '../../test/faults.ts';
import { type Service, startService } from '../../test/service.ts';

/** A process is killed while PostgreSQL holds it inside a statement; the next one goes on (contract 3.1, D15, D21). */
describe.runIf(inject('prepared').engine === 'postgres')('kill -9', () => {
  test('during a push: every acknowledged page is there, and the session goes on', async () => {
    const { service, restart, holdAt, app, session } = await openSession();
    const hold = await holdAt('insert on sync_page');
    const unanswered = push(service, app, session, [person('carol', 'new')]).catch(() => 'no answer');
    await hold.untilReached();
    await service.kill();
    expect(await unanswered).toBe('no answer');
    await letGo(hold);

    const next = await restart();
    const { progress } = await call<View>(next, 'GET', `${app}/sync/${session}/`);
    expect(progress.find(({ slug }) => slug === 'user')?.synced_count).toBeGreaterThanOrEqual(2);
    await push(next, app, session, [person('carol', 'new')]);
    await call(next, 'POST', `${app}/sync/${session}/complete/`);
    expect(await ended(next, app, session)).toBe('completed');
    expect(await accounts(next)).toEqual({
      ada: ['ACTIVE', 'new'],
      bob: ['ACTIVE', 'new'],
      carol: ['ACTIVE', 'new'],
    });
  });

  test.each([
    ['publication', 'insert on membership'],
    ['cleanup', 'delete on sync_removal'],
  ])('during %s: the session ends as it should', async (_step, point) => {
    const { service, restart, holdAt, app, session } = await openSession();
    const hold = await holdAt(point);
    await call(service, 'POST', `${app}/sync/${session}/complete/`);
    await hold.untilReached();
    await service.kill();
    await letGo(hold);

    const next = await restart();
    expect(await ended(next, app, session)).toBe('completed');
    expect(await accounts(next)).toEqual({
      ada: ['ACTIVE', 'new'],
      bob: ['ACTIVE', 'new'],
      carol: ['INACTIVE'],
    });
  });
});

/** An app with three people in one group, and a session that has moved two of them to another. */
async function openSession() {
  const { options, remove } = await createTestDatabase();
  const running: Service[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await remove();
  });
  const start = async (key?: string) => {
    const service = await startService({ database: options, ...(key === undefined ? {} : { key }) });
    running.push(service);
    return service;
  };
  const service = await start();
  const { id } = await call<{ id: string }>(service, 'POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  const app = `/api/v1/bridge/apps/${id}`;
  await call(service, 'POST', `${app}/resource-types/`, { slug: 'user', name: 'Users', type: 'account' });
  await call(service, 'POST', `${app}/resource-types/`, { slug: 'team', name: 'Teams', type: 'group' });
  const first = await begin(service, app);
  await push(service, app, first, [person('ada', 'old'), person('bob', 'old'), person('carol', 'old')]);
  await call(service, 'POST', `${app}/sync/${first}/complete/`);
  expect(await ended(service, app, first)).toBe('completed');
  const session = await begin(service, app);
  await push(service, app, session, [person('ada', 'new'), person('bob', 'new')]);
  return {
    service,
    app,
    session,
    restart: () => start(service.key),
    holdAt: async (point: string) => {
      const hold = await holdBefore(options.url as string, point);
      onTestFinished(() => hold.close());
      return hold;
    },
  };
}

/** Ends the wait, once what the killed process had under way is over. */
async function letGo(hold: Hold) {
  await hold.release();
  await hold.untilGone();
}

interface View {
  status: string;
  progress: { slug: string; synced_count: number }[];
}

const person = (id: string, team: string) => ({
  id,
  email: `${id}@example.com`,
  memberships: { team: [{ id: team }] },
});

const begin = async (service: Service, app: string) =>
  (await call<{ sync_id: string }>(service, 'POST', `${app}/sync/`)).sync_id;

const push = (service: Service, app: string, session: string, records: object[]) =>
  call(service, 'PUT', `${app}/sync/${session}/user/`, { records });

async function ended(service: Service, app: string, session: string): Promise<string> {
  for (;;) {
    const { status } = await call<View>(service, 'GET', `${app}/sync/${session}/`);
    if (status !== 'completing') return status;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

/** By id, the state and the teams. */
async function accounts(service: Service): Promise<Record<string, string[]>> {
  const { results } = await call<{
    results: { external_id: string; status: string; memberships: Record<string, { id: string }[]> }[];
  }>(service, 'GET', '/api/accounts/');
  return Object.fromEntries(
    results.map(({ external_id, status, memberships }) => [
      external_id,
      [status, ...(memberships.team ?? []).map(({ id }) => id)],
    ]),
  );
}

async function call<T>({ url, key }: Service, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/org/acme${path}`, {
    method,
    headers: {
      authorization: `Api-Key ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
