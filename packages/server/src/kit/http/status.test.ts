import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { openTestDatabase } from '#test/database.ts';
import { VERSION } from '../../../../protocol/src/version.ts';
import { createLogger } from '../logger.ts';
import { createHttp } from './server.ts';
import { statusRoutes } from './status.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp({ own: true });
});
afterAll(() => service.close());

const get = (url: string) => service.app.http.inject(url);

describe('without a key (D42)', () => {
  test.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('%s', async (url, body) => {
    const answer = await get(url);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(body);
  });

  test('/metrics reveals nothing about an organization', async () => {
    const app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Unmistakable' })).body.id;
    await service.call('GET', `/api/v1/bridge/apps/${app}/`);
    await service.call('GET', '/api/accounts/?email=unmistakable');
    await service.call('GET', '/nothing/unmistakable/');
    await service.call('GET', '/api/accounts/', undefined, { org: 'unmistakable' });

    const { statusCode, headers, payload } = await get('/metrics');

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(payload).toMatch(
      /gatehouse_http_request_duration_seconds_count\{method="GET",route="\/org\/:org\/api\/v1\/bridge\/apps\/:app_id\/",status="200"\} 1/,
    );
    expect(payload).toContain(`gatehouse_build_info{version="${VERSION}"} 1`);
    expect(payload).toContain('process_cpu_seconds_total');
    expect(payload).toContain('gatehouse_event_loop_lag_seconds_bucket');
    for (const secret of ['acme', 'nmistakable', app, service.key]) expect(payload).not.toContain(secret);
  });
});

test('/readyz returns 503 while migrations are pending, or the database is too new or unavailable', async () => {
  const { database, close } = await openTestDatabase();
  const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
  statusRoutes(http, { database });
  onTestFinished(close);
  const ready = async () => {
    const answer = await http.inject('/readyz');
    return [answer.statusCode, answer.json().status];
  };

  const first = await ready();
  await database.exec(`delete from schema_migration where name = (select max(name) from schema_migration)`);
  const pending = await ready();
  await database.exec(`insert into schema_migration (name) values ('9999_future.sql')`);
  const newer = await ready();
  await database.exec('drop table schema_migration');
  const away = await ready();

  expect([first, pending, newer, away]).toEqual([
    [200, 'ready'],
    [503, 'migrations pending'],
    [503, 'database too new'],
    [503, 'database unreachable'],
  ]);
  expect((await http.inject('/healthz')).statusCode).toBe(200);
});
