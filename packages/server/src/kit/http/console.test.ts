import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { consoleRoutes, loadConsolePage } from './console.ts';
import { createHttp, type Http } from './server.ts';

let folder: string;
let http: Http;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta name="gatehouse-org" content="__ORG__">');
  await writeFile(join(folder, 'scheme.js'), 'scheme()');
  await writeFile(join(folder, 'assets/main-1a2b.js'), 'main()');
  await writeFile(join(folder, 'assets/main-1a2b.js.gz'), gzipSync('main()'));
  await writeFile(join(folder, 'built-from'), 'a hash');
  const page = loadConsolePage({ folder }, 'acme');
  if (page === undefined) throw new Error('The page was not found.');
  http = createHttp({ logger: pino({ level: 'silent' }), trustProxy: false, page });
  await consoleRoutes(http, folder, page);
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true });
});

const open = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  http.inject({ url, headers });

test.each(['/', '/apps', '/people/0199a000-0000-7000-8000-000000000001?tab=access', '/no/such/page'])(
  'sends the console with its organization for %s',
  async (url) => {
    const answer = await open(url);

    expect(answer).toMatchObject({
      statusCode: 200,
      payload: '<meta name="gatehouse-org" content="acme">',
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
    });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  },
);

test('returns 404 for other addresses and for clients that do not accept HTML', async () => {
  for (const [url, headers] of [
    ['/apps', { accept: 'application/json' }],
    ['/org/acme/nothing', { accept: 'text/html' }],
    ['/built-from', {}],
    ['/assets/%2e%2e/built-from', {}],
    ['/index.html', {}],
    ['/missing.js', {}],
    ['/assets/missing-1a2b.js', {}],
    ['/assets/main-1a2b.js.gz', {}],
    ['/assets/..%2fscheme.js', {}],
  ] as [string, Record<string, string>][]) {
    expect(await open(url, headers), url).toMatchObject({ statusCode: 404 });
  }
});

test('returns 404 for a missing file, whatever the client accepts, and lets no cache keep it', async () => {
  for (const url of ['/assets/missing-1a2b.js', '/assets/missing', '/missing.js?v=2', '/missing.css'])
    for (const accept of ['text/html,*/*', '*/*'])
      expect(await open(url, { accept }), url).toMatchObject({
        statusCode: 404,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      });
});

test('sends the page of a build that replaced the folder', async () => {
  const file = join(folder, 'index.html');
  const before = await readFile(file, 'utf8');
  await writeFile(file, 'The next release of __ORG__');
  onTestFinished(() => writeFile(file, before));

  expect((await open('/')).payload).toBe('The next release of acme');
});

test('caches hashed files forever and compresses them; revalidates other files', async () => {
  const asset = await open('/assets/main-1a2b.js', { 'accept-encoding': 'gzip' });
  expect(asset.headers).toMatchObject({
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect(gunzipSync(asset.rawPayload).toString()).toBe('main()');
  expect((await open('/scheme.js', {})).headers['cache-control']).toBe('public, max-age=0');
});

test('returns no page if the console was not built', async () => {
  expect(loadConsolePage({ folder: join(folder, 'assets') }, 'acme')).toBeUndefined();
});

test('a page waits until the console is built', async () => {
  const later = await mkdtemp(join(tmpdir(), 'gatehouse-console-'));
  const built = Promise.withResolvers<void>();
  const waiting = loadConsolePage({ folder: join(later, 'dist'), building: built.promise }, 'acme');
  if (waiting === undefined) throw new Error('There is no page.');
  const building = createHttp({ logger: pino({ level: 'silent' }), trustProxy: false, page: waiting });
  onTestFinished(async () => {
    await building.close();
    await rm(later, { recursive: true });
  });
  await consoleRoutes(building, join(later, 'dist'), waiting);
  const opened = ['/', '/apps'].map((url) => building.inject({ url, headers: { accept: 'text/html' } }));
  expect(await building.inject('/scheme.js')).toMatchObject({ statusCode: 404 });
  await cp(folder, join(later, 'dist'), { recursive: true });
  built.resolve();

  for (const answer of await Promise.all(opened))
    expect(answer).toMatchObject({ statusCode: 200, payload: expect.stringContaining('content="acme"') });
  expect(await building.inject('/scheme.js')).toMatchObject({ statusCode: 200, payload: 'scheme()' });
  expect(await building.inject('/assets/main-1a2b.js')).toMatchObject({ payload: 'main()' });
});
