import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleRoutes, loadConsolePage } from './console.ts';
import { helpRoutes } from './help.ts';
import { createHttp, type Http } from './server.ts';

let folder: string;
let http: Http;
const help = () => join(folder, 'help');
const built = Promise.withResolvers<void>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-help-'));
  await mkdir(join(help(), 'reference'), { recursive: true });
  await writeFile(join(folder, 'index.html'), 'The console');
  await writeFile(join(folder, 'secret.json'), 'outside');
  const page = loadConsolePage({ folder }, 'acme');
  if (page === undefined) throw new Error('The page was not found.');
  http = createHttp({ logger: pino({ level: 'silent' }), trustProxy: false, page });
  await consoleRoutes(http, folder, page);
  await helpRoutes(http, { folder: help(), building: built.promise });
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true });
});

const open = (url: string, more: Record<string, string> = {}) =>
  http.inject({ url, headers: { accept: 'text/html', ...more } });

test('a page waits until the help is built, and leads to the first page', async () => {
  const waiting = open('/help/');
  await writeFile(join(help(), 'index.html'), 'Contents');
  await writeFile(join(help(), 'reviews.html'), 'Reviews');
  await writeFile(join(help(), 'reviews.html.gz'), gzipSync('Reviews'));
  await writeFile(join(help(), 'reference/protocol.html'), 'Protocol');
  await writeFile(join(help(), 'search.json'), '{}');
  await writeFile(join(help(), 'built-from'), 'a hash');
  built.resolve();

  expect(await waiting).toMatchObject({ statusCode: 200, payload: 'Contents' });
  expect(await open('/help')).toMatchObject({ statusCode: 308, headers: { location: '/help/' } });
});

test('sends pages without their extension, compressed, with the security of the console', async () => {
  expect(await open('/help/reference/protocol')).toMatchObject({ statusCode: 200, payload: 'Protocol' });
  const page = await open('/help/reviews/', { 'accept-encoding': 'gzip' });
  expect(page.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=0',
    'content-security-policy': expect.stringContaining("script-src 'self'"),
  });
  expect((await open('/help/search.json')).payload).toBe('{}');
});

test.each([
  '/help/nothing',
  '/help/built-from',
  '/help/reviews.html.gz',
  '/help/reviews.html',
  '/help/..%2fsecret.json',
  '/help/reference',
])('returns 404 for %s', async (url) => {
  expect(await open(url)).toMatchObject({
    statusCode: 404,
    payload: 'The help has no page with this address. Its contents are at /help/.\n',
  });
});

test('says how the help is built if it was not', async () => {
  await rm(join(help(), 'index.html'));
  expect((await open('/help/')).payload).toContain('npm run docs:site');
});
