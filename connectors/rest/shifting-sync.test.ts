import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor, createService, openState, runSync, silent } from '@gatehouse/connector';
import { type Answer, startScriptedServer, startScriptedService } from '@gatehouse/connector/conformance';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach, expect, test } from 'vitest';
import { connectorFrom, definitionSchema } from './index.ts';
import { shipped } from './test/server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const withTotal = `
name: app
base_url: URL_OF_TEST
accounts:
  member:
    name: Members
    list: { get: /members, items: response.items, paginate: { by: page, total: response.total } }
    record: { id: item.id, username: item.id }
`;

/** A page of two people, in the form of each API. */
const serve =
  (all: string[]): Answer =>
  (line, _nth, url) => {
    if (line === 'GET /orgs/acme') return { body: { id: 1 } };
    if (!line.endsWith('/members') || url.searchParams.has('role')) return { body: [] };
    const first = (Number(url.searchParams.get('page') ?? 1) - 1) * 2;
    const items = all.slice(first, first + 2).map((id) => ({ id, login: id }));
    if (line === 'GET /members') return { body: { items, total: all.length } };
    const more = first + 2 < all.length;
    return { body: items, headers: more ? { link: '</orgs/acme/members?page=2>; rel="next"' } : {} };
  };

test.each([
  ['github', 'by link, of which one leaves', ['2', '3', '4']],
  ['withTotal', 'with a total, of which one leaves and one joins', ['2', '3', '4', '5']],
])('in a list of %s %s, an account that moves to an earlier page stays', async (name, _, after) => {
  let isChanging = false;
  let people = ['1', '2', '3', '4'];
  const { url, close } = await startScriptedServer((line, nth, at, body) => {
    const reply = serve(people)(line, nth, at, body);
    const isList = line.endsWith('/members') && !at.searchParams.has('role');
    if (isChanging && isList) people = after;
    return reply;
  });
  cleanups.push(close);
  const text = name === 'github' ? shipped('github', /\$\{API_URL:-[^}]*\}/g) : withTotal;
  const document = parseText(text.replaceAll('URL_OF_TEST', url), name, definitionSchema);
  const connector = connectorFrom(document, { pause: 1, env: {} });
  const { signal } = new AbortController();
  const system = await connector.connect({ ORG: 'acme', TOKEN: 't' }, { signal, log: silent });
  const scripted = await startScriptedService();
  cleanups.push(scripted.close);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-state-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const state = openState(folder);
  cleanups.push(() => state.close());
  const app = scripted.world.createApp('app').id;
  const service = createService({ url: scripted.url, key: scripted.key, log: silent, signal });
  const redactor = createRedactor();
  const run = { connector, system, service, app, state, progress: silent, redactor, signal };
  const active = () =>
    (scripted.world.inventory(app) as Record<string, { id: string; status?: string }[]>).member
      ?.flatMap(({ id, status }) => (status === 'inactive' ? [] : [id]))
      .toSorted();
  await runSync(run, { guard: null });
  isChanging = true;
  // Whether this sync is abandoned or not, it removes nobody who is still there.
  await runSync(run, { guard: null }).catch(() => undefined);
  expect(active()).toEqual(expect.arrayContaining(['2', '3', '4']));
  await runSync(run, { guard: null });
  expect(active()).toEqual(after);
});
