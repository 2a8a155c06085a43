import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scim } from '@better-auth/scim';
import { type Fixture, switchOf } from '@gatehouse/connector/conformance';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { type MemoryDB, memoryAdapter } from 'better-auth/adapters/memory';
import { getAuthTables } from 'better-auth/db';
import { toNodeHandler } from 'better-auth/node';

const token = { writer: randomBytes(32).toString('hex'), reader: randomBytes(32).toString('hex') };

/**
 * Starts an application with SCIM by `@better-auth/scim` and 120 users in memory, which are inspected directly. It stores no
 * passwords (`changePassword` is not supported), so the sign-in check is skipped.
 */
export const fixture: Fixture = {
  async start() {
    let answer: RequestListener = (_, response) => response.writeHead(503).end();
    const server = createServer((request, response) => answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = `${baseURL}/api/auth/scim/v2`;

    const { auth, stored } = application(baseURL);
    const working = toNodeHandler(auth);
    answer = working;
    for (let n = 0; n < 120; n++) {
      const entitlements = n % 10 === 0 ? [{ value: 'pro', display: 'Professional' }] : [];
      const emails = [{ value: `person${n}@acme.example`, primary: true }];
      await post(`${url}/Users`, 'User', { userName: `person${n}`, emails, entitlements });
    }
    const groups = [await addGroup(url, 'Red'), await addGroup(url, 'Blue')];

    return {
      settings: { url, token: token.writer, deliverTo: 'cat' },
      weakSettings: { url, token: token.reader, deliverTo: 'cat' },
      newAccount: (n) => ({
        id: `ours-${n}`,
        username: `new${n}`,
        email: `new${n}@acme.example`,
        first_name: 'New',
        last_name: `N${n}`,
      }),
      grants: groups.map((id) => ({ slug: 'group', ref: { id } })),
      witness: {
        exists: async (id) => stored('scimUser').some((user) => user.id === id),
        suspended: async (id) => stored('scimUser').some((user) => user.id === id && user.active === false),
        holds: async (id, slug, ref) =>
          slug === 'group'
            ? stored('scimGroupMember').some(
                ({ scimUserId, groupId }) => scimUserId === id && groupId === ref,
              )
            : stored('scimUser').some((user) => user.id === id && entitlementsOf(user).includes(ref)),
      },
      async outage() {
        answer = (_, response) => response.writeHead(503).end();
        return async () => {
          answer = working;
        };
      },
      html: switchOf((on) => {
        const page: RequestListener = (_, response) =>
          response.writeHead(404, { 'content-type': 'text/html' }).end('<html><h1>Not Found</h1></html>');
        answer = on ? page : working;
      }),
      async stop() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

type Row = Record<string, unknown>;

function application(baseURL: string) {
  const read = ['scim.users.read', 'scim.groups.read'] as const;
  const plugin = scim({
    connections: [
      {
        id: 'gatehouse',
        credentials: [
          { type: 'bearer', id: 'writer', token: token.writer },
          { type: 'bearer', id: 'reader', token: token.reader, scopes: read },
        ],
      },
    ],
  });
  // Its types do not support exactOptionalPropertyTypes.
  const plugins = [plugin as BetterAuthPlugin];
  const tables: MemoryDB = Object.fromEntries(
    Object.keys(getAuthTables({ plugins })).map((name) => [name, []]),
  );
  const auth = betterAuth({
    baseURL,
    secret: randomBytes(32).toString('hex'),
    database: memoryAdapter(tables),
    plugins,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  });
  return { auth, stored: (table: string): Row[] => tables[table] ?? [] };
}

function entitlementsOf({ serializedAttributes }: Row): string[] {
  const { entitlements = [] } = JSON.parse(String(serializedAttributes)) as {
    entitlements?: { value: string }[];
  };
  return entitlements.map(({ value }) => value);
}

const addGroup = (url: string, displayName: string) => post(`${url}/Groups`, 'Group', { displayName });

async function post(url: string, type: 'User' | 'Group', resource: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.writer}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ schemas: [`urn:ietf:params:scim:schemas:core:2.0:${type}`], ...resource }),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
