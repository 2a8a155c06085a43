import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Connector, silent, unreported } from '@gatehouse/connector';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach, expect, test } from 'vitest';
import { connectorFrom, definitionSchema } from './index.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

type Grant = { form: URLSearchParams; authorization: string | undefined };
type Reply = { status?: number; body: unknown };

type Options = {
  issue?: (grant: Grant, nth: number) => Reply;
  accepts?: () => boolean;
  settings?: object;
};

/** An API that accepts the newest token that its token endpoint has issued. Without one, it accepts every request. */
async function open(auth: string, { issue, accepts, settings = {} }: Options) {
  const grants: Grant[] = [];
  const seen: (IncomingMessage['headers'] & { key?: string })[] = [];
  let valid: string | undefined;
  const server = createServer(async (request, response) => {
    const send = ({ status = 200, body }: Reply) => response.writeHead(status).end(JSON.stringify(body));
    if (request.url === '/token') {
      const grant = {
        form: new URLSearchParams(await text(request)),
        authorization: request.headers.authorization,
      };
      grants.push(grant);
      const reply = issue?.(grant, grants.length) ?? { status: 404, body: {} };
      valid = (reply.body as { access_token?: string }).access_token;
      return send(reply);
    }
    seen.push(request.headers);
    const isNewest = issue === undefined || request.headers.authorization === `Bearer ${valid}`;
    const accepted = accepts?.() ?? isNewest;
    send(accepted ? { body: [{ id: 1, name: 'ada' }] } : { status: 401, body: {} });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const definition = `
name: app
base_url: \${URL}
${auth}
accounts:
  user:
    name: Users
    list: { get: /users }
    record: { id: item.id, username: item.name }
`;
  const connector: Connector = connectorFrom(parseText(definition, 'app.yml', definitionSchema), {
    pause: 1,
    env: {},
  });
  const { signal } = new AbortController();
  const system = await connector.connect(
    { URL: url, SECRET: 'the-secret', ...settings },
    { signal, log: silent },
  );
  const list = async () => {
    const found: string[] = [];
    const context = { from: undefined, signal, log: silent, skip: () => {}, ...unreported };
    for await (const record of connector.accounts.user?.list(system, context) ?? [])
      found.push((record as { id: string }).id);
    return found;
  };
  const revoke = () => {
    valid = 'another';
  };
  return { list, grants, seen, revoke, url };
}

test.each([
  [`bearer: "\${SECRET}"`, { authorization: 'Bearer the-secret' }],
  [`header: { name: X-Api-Key, value: "\${SECRET}" }`, { 'x-api-key': 'the-secret' }],
  [
    `basic: { username: me, password: "\${SECRET}" }`,
    { authorization: `Basic ${Buffer.from('me:the-secret').toString('base64')}` },
  ],
])('authenticates with %s', async (auth, headers) => {
  const { list, seen } = await open(`auth: { ${auth} }`, {});
  expect(await list()).toEqual(['1']);
  expect(seen).toMatchObject([headers]);
});

const credentials = `auth: { client_credentials: { token_url: "\${URL}/token", client_id: me, client_secret: "\${SECRET}", scope: read } }`;

test('uses a token until it is rejected, and then renews it once', async () => {
  const issue = (_: Grant, nth: number) => ({ body: { access_token: `token-${nth}`, expires_in: 3600 } });
  const { list, grants, revoke, seen } = await open(credentials, { issue });
  await list();
  await list();
  expect(grants).toHaveLength(1);
  expect(Object.fromEntries(grants[0]?.form ?? [])).toEqual({
    grant_type: 'client_credentials',
    scope: 'read',
  });
  expect(grants[0]?.authorization).toBe(`Basic ${Buffer.from('me:the-secret').toString('base64')}`);
  revoke();
  expect(await list()).toEqual(['1']);
  expect(grants).toHaveLength(2);
  expect(seen.map(({ authorization }) => authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-2',
  ]);
});

test('renews a token only once for a request', async () => {
  const { list, grants } = await open(credentials, {
    issue: () => ({ body: { access_token: 'token' } }),
    accepts: () => false,
  });
  await expect(list()).rejects.toThrow(/returned 401 \(the credentials were rejected\)/);
  expect(grants).toHaveLength(2);
});

test('says that a token is missing', async () => {
  const { list } = await open(credentials, { issue: () => ({ body: { token: 'x' } }) });
  await expect(list()).rejects.toThrow(/returned no access_token/);
});

test('explains why there is no token, without secrets', async () => {
  const issue = () => ({
    status: 400,
    body: { error: 'invalid_client', error_description: 'no: the-secret' },
  });
  const { list, url } = await open(credentials, { issue });
  await expect(list()).rejects.toThrow(
    `no token: POST ${url}/token returned 400 (invalid_client: no: [redacted])`,
  );
});

test('keeps the refresh token that replaces the first one', async () => {
  const auth = `auth: { refresh_token: { token_url: "\${URL}/token", client_id: me, refresh_token: "\${SECRET}" } }`;
  const issue = (_: Grant, nth: number) => ({
    body: { access_token: `token-${nth}`, refresh_token: `refresh-${nth}`, expires_in: 3600 },
  });
  const { list, grants, revoke } = await open(auth, { issue });
  await list();
  revoke();
  await list();
  expect(grants.map(({ form }) => form.get('refresh_token'))).toEqual(['the-secret', 'refresh-1']);
});

test.each(['RS256', 'ES256'] as const)('signs a JWT with %s', async (algorithm) => {
  const { privateKey, publicKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const auth = `auth: { signed_jwt: { token_url: "\${URL}/token", issuer: robot, subject: admin, scope: users, private_key: "\${PRIVATE_KEY}", key_id: k1, algorithm: ${algorithm} } }`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { list, grants, url } = await open(auth, {
    issue: () => ({ body: { access_token: 'token', expires_in: 60 } }),
    settings: { PRIVATE_KEY: pem.replaceAll('\n', '\\n') },
  });
  expect(await list()).toEqual(['1']);
  const { form } = grants[0] as Grant;
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [header = '', claims = '', signature = ''] = form.get('assertion')?.split('.') ?? [];
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect(decoded(header)).toEqual({ alg: algorithm, typ: 'JWT', kid: 'k1' });
  expect(decoded(claims)).toMatchObject({ iss: 'robot', sub: 'admin', scope: 'users', aud: `${url}/token` });
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('says that a private key is unusable', async () => {
  const auth = `auth: { signed_jwt: { token_url: "\${URL}/token", issuer: robot, private_key: "\${SECRET}" } }`;
  const { list } = await open(auth, { issue: () => ({ body: {} }) });
  await expect(list()).rejects.toThrow('the private key is not a key in PEM');
});
