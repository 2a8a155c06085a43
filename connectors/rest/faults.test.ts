import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  createRedactor,
  createService,
  Failure,
  openState,
  runSync,
  silent,
  unreported,
} from '@gatehouse/connector';
import { startScriptedService } from '@gatehouse/connector/conformance';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach, describe, expect, test } from 'vitest';
import { connectorFrom, definitionSchema } from './index.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function listen(server: Server, scheme = 'http'): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serverThat = (answer: RequestListener) => listen(createServer(answer));

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };
/** A server that returns scripted responses as JSON. */
const jsonServer = (answer: (url: URL, nth: number) => Answer) => {
  let nth = 0;
  return serverThat((request, response) => {
    const { status = 200, headers = {}, body } = answer(new URL(request.url ?? '', 'http://x'), ++nth);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
};

const definition = (paginate = '', more = '') => `
name: app
base_url: \${URL}
auth: { basic: { username: gatehouse, password: '\${PASSWORD}' } }
limits: { timeout: 1, response_mb: 0.1, patience: 60 }
${more}
accounts:
  user:
    name: Users
    list:
      get: /users
      items: response.users
      ${paginate}
    record: { id: item.id, username: item.name.lowerAscii() }
`;

const load = (text: string) =>
  connectorFrom(parseText(text, 'app.yml', definitionSchema), { pause: 1, env: {} });

/** Lists the users of a server. Returns the records, those that were skipped, and how the list ended. */
async function list(url: string, text: string, settings: Record<string, unknown> = {}) {
  const connector = load(text);
  const { signal } = new AbortController();
  const system = await connector.connect(
    { URL: url, PASSWORD: 'the-password', ...settings },
    { signal, log: silent },
  );
  const ids: string[] = [];
  const skipped: string[] = [];
  const skip = (id: string, why: string) => void skipped.push(`${id}: ${why}`);
  let failure = '';
  try {
    for await (const record of connector.accounts.user?.list(system, {
      from: undefined,
      signal,
      log: silent,
      skip,
      ...unreported,
    }) ?? [])
      ids.push((record as { id: string }).id);
  } catch (error) {
    failure = (error as Error).message;
  }
  return { ids, skipped, failure };
}

const user = (id: number) => ({ id, name: `User${id}` });
const byPage = 'paginate: { by: page }';
const byCursor = 'paginate: { by: cursor, param: after, next: response.next }';

describe('a list ends with a sentence if', () => {
  test('the password is wrong', async () => {
    const url = await jsonServer(() => ({
      status: 401,
      body: { error: 'unauthorized: Z2F0ZWhvdXNlOnRoZS1wYXNzd29yZA== the-password' },
    }));
    const { failure } = await list(url, definition());
    expect(failure).toBe(
      `GET ${url}/users returned 401 (the credentials were rejected: unauthorized: [redacted] [redacted])`,
    );
  });

  test('the application finds nothing', async () => {
    const url = await jsonServer(() => ({ status: 404, body: {} }));
    expect((await list(url, definition())).failure).toBe(
      `GET ${url}/users returned 404 (it has no record, or nothing at all, at this address)`,
    );
  });

  test('the application says what it does not find', async () => {
    const url = await jsonServer(() => ({ status: 404, body: { message: 'The tenant acme was closed.' } }));
    expect((await list(url, definition())).failure).toBe(
      `GET ${url}/users returned 404 (The tenant acme was closed.)`,
    );
  });

  test('the page repeats for ever', async () => {
    const url = await jsonServer(() => ({ body: { users: [user(1)] } }));
    expect((await list(url, definition(byPage))).failure).toMatch(
      /users returned the same page twice; check paginate/,
    );
  });

  test('the cursor leads in a circle', async () => {
    const url = await jsonServer((_, nth) => ({ body: { users: [user(nth)], next: nth % 2 ? 'a' : 'b' } }));
    expect((await list(url, definition(byCursor))).failure).toMatch(/returned the same cursor twice/);
  });

  test('there are more pages than allowed', async () => {
    const url = await jsonServer((_, nth) => ({ body: { users: [user(nth)] } }));
    const { failure } = await list(url, definition('paginate: { by: page, max_pages: 3 }'));
    expect(failure).toMatch(/users has more than 3 pages/);
  });

  test('the list is shorter than its total', async () => {
    const url = await jsonServer((_, nth) => ({ body: { users: nth === 1 ? [user(1)] : [], total: 2 } }));
    const { failure } = await list(url, definition('paginate: { by: page, total: response.total }'));
    expect(failure).toMatch(/users returned only 1 of 2 items/);
  });

  test('a page breaks off', async () => {
    const url = await serverThat((request, response) => {
      if (request.url === '/users?page=1')
        return void response.end(JSON.stringify({ users: [1, 2, 3, 4, 5].map(user) }));
      response.writeHead(200, { 'content-length': '1000' }).write('{"users": [{"id"');
      setImmediate(() => response.destroy());
    });
    const { ids, failure } = await list(url, definition(byPage));
    expect(ids).toContain('1');
    expect(failure).toMatch(/users failed: /);
  });

  test('the server always fails', async () => {
    let requests = 0;
    const url = await jsonServer((_, nth) => {
      requests = nth;
      return { status: 500, body: { message: 'out of memory' } };
    });
    expect((await list(url, definition())).failure).toBe(`GET ${url}/users returned 500 (out of memory)`);
    expect(requests).toBe(5);
  });

  test('the response drips', async () => {
    const url = await serverThat((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect((await list(url, definition())).failure).toMatch(/no complete response within 1 s/);
  });

  test('the response is too large', async () => {
    const url = await serverThat((_, response) => void response.end(' '.repeat(200_000)));
    expect((await list(url, definition())).failure).toMatch(/the response is larger than 0.1 MB/);
  });

  test('the response is not JSON', async () => {
    const url = await serverThat((_, response) => void response.end('<html>'));
    expect((await list(url, definition())).failure).toMatch(/returned text that is not JSON; check base_url/);
  });

  test('the items are elsewhere', async () => {
    const url = await jsonServer(() => ({ body: { people: [] } }));
    expect((await list(url, definition())).failure).toMatch(/response.users is null, not a list/);
  });

  test('it redirects to elsewhere', async () => {
    let reached = false;
    const other = await jsonServer(() => {
      reached = true;
      return { body: { users: [] } };
    });
    const url = await jsonServer(() => ({ status: 302, headers: { location: `${other}/users` } }));
    expect((await list(url, definition())).failure).toMatch(/redirects to another origin/);
    expect(reached).toBe(false);
  });

  test('the next page is elsewhere', async () => {
    const url = await jsonServer(() => ({ body: { users: [user(1)], next: 'http://elsewhere.example/' } }));
    const { failure } = await list(url, definition('paginate: { by: url, next: response.next }'));
    expect(failure).toMatch(/the next page is at another origin, http:\/\/elsewhere.example/);
  });

  test('the application answers 200 with an error', async () => {
    const url = await jsonServer(() => ({ body: { ok: false, error: 'account_inactive' } }));
    expect((await list(url, definition('', 'ok: response.ok'))).failure).toMatch(
      /returned 200 \(account_inactive\)/,
    );
  });

  test('the address is private and the operator does not allow it', async () => {
    const connector = connectorFrom(parseText(definition(), 'app.yml', definitionSchema), {
      pause: 1,
      env: { GATEHOUSE_CONNECTOR_ALLOW_PRIVATE: 'false' },
    });
    const { signal } = new AbortController();
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:10.0.0.1]', '169.254.169.254']) {
      const settings = { URL: `http://${host}:1`, PASSWORD: 'x' };
      const system = await connector.connect(settings, { signal, log: silent });
      const context = { from: undefined, signal, log: silent, skip: () => {}, ...unreported };
      const read = async () => {
        for await (const _ of connector.accounts.user?.list(system, context) ?? []);
      };
      await expect(read(), host).rejects.toThrow('is a private address, which the operator does not allow');
    }
  });

  test('the certificate has expired', async () => {
    const { key, cert } = expiredCertificate();
    const trusted = getCACertificates();
    setDefaultCACertificates([cert]);
    cleanups.push(() => setDefaultCACertificates(trusted));
    const secure = createSecureServer({ key, cert }, (_, response) => void response.end('{"users":[]}'));
    const url = await listen(secure, 'https');
    expect((await list(url, definition())).failure).toMatch(
      /failed: the certificate of 127\.0\.0\.1 has expired: /,
    );
  });
});

/** Only `openssl ca` sets the dates of a certificate in every version of OpenSSL 3. */
function expiredCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  try {
    writeFileSync(join(folder, 'index'), '');
    writeFileSync(
      join(folder, 'ca.conf'),
      [
        '[ca]\ndefault_ca = own',
        '[own]\ndatabase = index\nserial = serial\nnew_certs_dir = .\ndefault_md = sha256\npolicy = names\nx509_extensions = more',
        '[names]\ncommonName = supplied',
        '[more]\nsubjectAltName = IP:127.0.0.1',
      ].join('\n'),
    );
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'key.pem');
    openssl('req', '-new', '-key', 'key.pem', '-subj', '/CN=localhost', '-out', 'request.pem');
    const signing = ['-selfsign', '-batch', '-notext', '-config', 'ca.conf', '-rand_serial'];
    const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
    openssl('ca', ...signing, ...dates, '-keyfile', 'key.pem', '-in', 'request.pem', '-out', 'cert.pem');
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { key: read('key.pem'), cert: read('cert.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('reports a record that cannot be mapped, so that the sync removes nothing', async () => {
  const url = await jsonServer(() => ({ body: { users: [user(1), { id: 2 }, { name: 'X' }, user(4)] } }));
  const { ids, skipped, failure } = await list(url, definition());
  expect({ ids, failure }).toEqual({ ids: ['1', '4'], failure: '' });
  expect(skipped).toEqual([expect.stringMatching(/^2: username: item.name/), 'number 3: id is empty']);
});

describe('a sync abandons its session and removes nothing if', () => {
  const people = [1, 2, 3, 4, 5].map(user);
  test.each<[string, (url: URL, nth: number) => Answer, RegExp]>([
    ['the password is wrong', () => ({ status: 401 }), /the credentials were rejected/],
    [
      'the second page fails',
      (_, nth) => (nth === 1 ? { body: { users: people } } : { status: 404 }),
      /listing failed, so nothing was removed: GET .* returned 404/,
    ],
    ['pages repeat', () => ({ body: { users: people } }), /returned the same page twice/],
    [
      'one record cannot be mapped',
      (_, nth) => ({ body: { users: nth === 1 ? [...people, { id: 6 }] : [] } }),
      /1 record was skipped, so the session was abandoned and nothing was removed/,
    ],
  ])('%s', async (_, answer, message) => {
    const connector = load(definition(byPage));
    const { signal } = new AbortController();
    const settings = { URL: await jsonServer(answer), PASSWORD: 'the-password' };
    const system = await connector.connect(settings, { signal, log: silent });
    const scripted = await startScriptedService();
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-state-'));
    const state = openState(folder);
    try {
      const app = scripted.world.createApp('app').id;
      const service = createService({ url: scripted.url, key: scripted.key, log: silent, signal });
      const redactor = createRedactor();
      const run = { connector, system, service, app, state, progress: silent, redactor, signal };
      await expect(runSync(run, { guard: null })).rejects.toThrow(message);
      expect(scripted.calls.filter((call) => /\/complete$/.test(call))).toEqual([]);
      expect(scripted.calls.filter((call) => /\/abandon$/.test(call))).toHaveLength(1);
    } finally {
      state.close();
      rmSync(folder, { recursive: true, force: true });
      await scripted.close();
    }
  });
});

describe('a list waits and continues if', () => {
  const good = { body: { users: [user(1)] } };
  test.each<[string, Answer]>([
    ['it is throttled', { status: 429, headers: { 'retry-after': '0' } }],
    ['the server is busy', { status: 503, headers: { 'retry-after': '0' } }],
    [
      'the limit was exceeded',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' } },
    ],
    ['the server fails once', { status: 502 }],
  ])('%s', async (_, first) => {
    const url = await jsonServer((_url, nth) => (nth === 1 ? first : good));
    expect(await list(url, definition())).toEqual({ ids: ['1'], skipped: [], failure: '' });
  });

  test('no request is left before the reset', async () => {
    let reset = 0;
    const url = await jsonServer((_, nth) => {
      if (nth === 1) reset = Date.now() + 900;
      else if (Date.now() < reset) return { status: 404 };
      const headers: Record<string, string> =
        nth === 1 ? { 'ratelimit-remaining': '0', 'ratelimit-reset': '1' } : {};
      return { headers, body: { users: nth === 1 ? [user(1)] : [] } };
    });
    expect(await list(url, definition(byPage))).toEqual({ ids: ['1'], skipped: [], failure: '' });
  });

  test('waiting takes longer than its patience', async () => {
    const url = await jsonServer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    expect((await list(url, definition())).failure).toMatch(/the application limits the rate of requests/);
  });
});

test('keeps the digits of large numbers', async () => {
  const url = await serverThat(
    (_, response) => void response.end('{"users":[{"id":12345678901234567891,"name":"A"}]}'),
  );
  expect((await list(url, definition())).ids).toEqual(['12345678901234567891']);
});

describe('a definition is refused with the place of the mistake if', () => {
  const problems = (text: string): string => {
    try {
      load(text);
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      return (error as Failure).message;
    }
    return '';
  };
  test.each([
    ['an expression has a mistake', ['items: response.users', 'items: response..users'], /^app.yml:12:22: /],
    ['a variable does not exist', ['item.id', 'user.id'], 'app.yml:14:19: the variable user does not exist'],
    [
      'a template names an unknown variable',
      ['get: /users', 'get: /users/{{ id }}'],
      'app.yml:11:22: the variable id does not exist',
    ],
    [
      'a setting does not exist',
      ['item.id', 'settings.KEY + item.id'],
      'app.yml:14:19: the setting KEY does not exist',
    ],
    [
      'a request has two methods',
      ['get: /users', 'get: /users\n      post: /users'],
      /needs exactly one of get/,
    ],
    ['a key is misspelled', ['items:', 'item:'], /has no setting "item"/],
    [
      'the cursor has no parameter',
      ['items: response.users', byCursor.replace('param: after, ', '')],
      /needs param/,
    ],
  ])('%s', (_, [before, after], message) => {
    const found = problems(definition().replace(before as string, after as string));
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  test('its aliases repeat too much', () => {
    const bomb = 'abcdefgh'.split('').map((name, n, all) => {
      const before = n === 0 ? 'x' : `*${all[n - 1]}`;
      return `  ${name}: &${name} [${`${before}, `.repeat(9)}${before}]`;
    });
    expect(problems(`${definition()}\nsettings:\n${bomb.join('\n')}`)).toMatch(/aliases repeat too many/);
  });
});
