import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#app.ts';
import { type Answer, openTestApp, type TestApp } from '#test/app.ts';
import { secrets } from '#test/secrets.ts';
import { signInAsOwner } from '#test/sign-in.ts';
import { createLogger } from '../logger.ts';
import { withoutReferences } from './components.ts';

interface Reference {
  paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
}

let service: TestApp;
let lists: string[];
let appId: string;
beforeAll(async () => {
  service = await openTestApp();
  appId = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'App' })).body.id;
  const { paths } = withoutReferences((await service.app.http.inject('/openapi.json')).json<Reference>());
  lists = Object.entries(paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'offset'))
    .map(([path]) => path.replace('/org/{org}', '').replace('{app_id}', appId))
    // Other lists are below something that this organization does not have.
    .filter((path) => !path.includes('{'));
});
afterAll(() => service.close());

/** Only signed-in people have an inbox. */
const get = async (path: string): Promise<Answer> =>
  /^\/api\/notifications\/(\?|$)/.test(path)
    ? (await signInAsOwner(service)).call('GET', path)
    : service.call('GET', path);

test('every list has the same envelope (protocol 2.12, D10)', async () => {
  expect(lists.length).toBeGreaterThanOrEqual(12);
  for (const path of lists) {
    const { status, body } = await get(path);
    const items = path.includes('/bridge/') && path.includes('/tasks/') ? 'tasks' : 'results';
    expect(status, path).toBe(200);
    expect(body, path).toEqual({
      count: expect.any(Number),
      next: null,
      previous: null,
      [items]: expect.any(Array),
      ...(path === '/api/notifications/' ? { unread: expect.any(Number) } : {}),
      ...(path === '/api/catalog/' ? { peers: expect.toBeOneOf([null, expect.any(Object)]) } : {}),
      ...(path.endsWith('/held-tasks/') ? { counts: expect.any(Object), budget: expect.any(Object) } : {}),
    });
  }
});

test('every list clamps a large limit and rejects an invalid limit or offset (D9)', async () => {
  for (const path of lists) {
    for (const query of ['limit=201', 'limit=999999999999', 'limit=1&offset=999999999']) {
      expect((await get(`${path}?${query}`)).status, `${path}?${query}`).toBe(200);
    }
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=1.5',
      'offset=-1',
      'offset=x',
      'offset=0.5',
    ]) {
      const answer = await get(`${path}?${query}`);
      expect(answer, `${path}?${query}`).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    }
  }
});

describe('next and previous', () => {
  const nextOf = async (
    headers: Record<string, string>,
    options: { publicUrl?: string; trustProxy?: false | 1 },
  ) => {
    const app = await createApp({
      database: service.database,
      secrets,
      logger: createLogger('silent'),
      publicUrl: options.publicUrl,
      trustProxy: options.trustProxy ?? false,
    });
    const answer = await app.http.inject({
      url: `/org/${service.org}/api/users/?limit=1&q=x%26y%20%C3%A4`,
      headers: { authorization: `Api-Key ${service.key}`, ...headers },
    });
    await app.close();
    return answer.json().next as string;
  };
  beforeAll(async () => {
    for (const name of ['a', 'b'])
      await service.call('POST', '/api/users/', { email: `${name}@x.example`, first_name: 'x&y ä' });
  });
  const path = () => `/org/${service.org}/api/users/?limit=1&q=x%26y+%C3%A4&offset=1`;

  test('begin with the origin of the request', async () => {
    expect(await nextOf({ host: 'id.example.com:8443' }, {})).toBe(`http://id.example.com:8443${path()}`);
  });

  test('begin with the configured origin if there is one (D40)', async () => {
    expect(await nextOf({ host: 'evil.example' }, { publicUrl: 'https://id.example.com' })).toBe(
      `https://id.example.com${path()}`,
    );
  });

  test('use the headers of trusted proxies only', async () => {
    const forwarded = { host: 'inner', 'x-forwarded-host': 'id.example.com', 'x-forwarded-proto': 'https' };

    expect(await nextOf(forwarded, { trustProxy: 1 })).toBe(`https://id.example.com${path()}`);
    expect(await nextOf(forwarded, { trustProxy: false })).toBe(`http://inner${path()}`);
  });
});

test('counts a long list up to count_to and reports whether more results exist', async () => {
  for (const name of ['x', 'y', 'z']) {
    await service.call('POST', '/api/users/', { email: `${name}@counted.example` });
  }
  const some = (query: string) => get(`/api/users/?q=counted&${query}`);

  expect((await some('limit=1')).body).toMatchObject({ count: 3 });
  expect((await some('limit=1')).body).not.toHaveProperty('more');
  expect((await some('limit=1&count_to=2')).body).toMatchObject({
    count: 2,
    more: true,
    next: expect.stringContaining('offset=1'),
  });
  expect((await some('limit=1&count_to=1&offset=1')).body).toMatchObject({
    count: 2,
    more: true,
    next: expect.stringContaining('offset=2'),
  });
  expect((await some('limit=1&count_to=1&offset=2')).body).toMatchObject({
    count: 3,
    more: false,
    next: null,
  });
  for (const path of ['/api/accounts/?', '/api/accounts/?email=x&', '/api/tasks/?']) {
    expect((await get(`${path}count_to=1`)).body, path).toMatchObject({ count: 0, more: false });
    expect((await get(`${path}count_to=0`)).status, path).toBe(400);
  }
});
