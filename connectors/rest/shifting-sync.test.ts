import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor, createService, openState, runSync, silent } from '@gatehouse/connector';
import { type Answer, startScriptedServer, startScriptedService } from '@gatehouse/connector/conformance';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach, expect, test } from 'vitest';
import { connector as scim } from '../scim/connector.ts';
import { connectorFrom, definitionSchema } from './index.ts';
import { shipped } from './test-server.ts';

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

type People = string[];
/** A page of two people, in the form of each API. */
const serve =
  (people: () => People): Answer =>
  (line, _nth, url) => {
    const query = url.searchParams;
    if (line === 'GET /orgs/acme') return { body: { id: 1 } };
    if (line === 'GET /Groups') return { body: { totalResults: 0, Resources: [] } };
    if (!/\/(members|Users)$/.test(line) || query.has('role')) return { body: [] };
    const first = Number(query.get('startIndex') ?? (Number(query.get('page') ?? 1) - 1) * 2 + 1) - 1;
    const all = people();
    const items = all.slice(first, first + 2).map((id) => ({ id, login: id, userName: id }));
    const more = first + 2 < all.length;
    if (line === 'GET /Users')
      return { body: { totalResults: all.length, startIndex: first + 1, Resources: items } };
    if (line === 'GET /members') return { body: { items, total: all.length } };
    return { body: items, headers: more ? { link: '</orgs/acme/members?page=2>; rel="next"' } : {} };
  };

test.each([
  ['a list by link', 'github', ['2', '3', '4']],
  ['a list with a total', 'withTotal', ['2', '3', '4', '5']],
  ['SCIM', 'scim', ['2', '3', '4', '5']],
])('in %s, an account that moves to an earlier page stays', async (_, name, after) => {
  let isChanging = false;
  let people: People = ['1', '2', '3', '4'];
  let requests = 0;
  // SCIM reads both pages of users for their entitlements first.
  const firstPage = name === 'scim' ? 2 : 0;
  const { url, close } = await startScriptedServer((line, nth, at, body) => {
    const reply = serve(() => people)(line, nth, at, body);
    const isList = /\/(members|Users)$/.test(line) && !at.searchParams.has('role');
    // Somebody leaves after the first page, and where a total would change, somebody joins.
    if (isChanging && isList && requests++ === firstPage) people = after;
    return reply;
  });
  cleanups.push(close);
  const text = name === 'github' ? shipped('github', /\$\{API_URL:-[^}]*\}/g) : withTotal;
  const connector =
    name === 'scim'
      ? scim
      : connectorFrom(parseText(text.replaceAll('URL_OF_TEST', url), name, definitionSchema), { pause: 1, env: {} });
  const { signal } = new AbortController();
  const system = await connector.connect({ url, token: 't', ORG: 'acme', TOKEN: 't' }, { signal, log: silent });
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
  const [slug = ''] = Object.keys(connector.accounts);
  const active = () =>
    (scripted.world.inventory(app) as Record<string, { id: string; status?: string }[]>)[slug]
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
