import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { silent, unreported } from '@gatehouse/connector';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach, expect, test } from 'vitest';
import { checkDefinition, connectorFrom, definitionSchema } from './index.ts';

const folder = fileURLToPath(new URL('./definitions/', import.meta.url));
const guide = readFileSync(new URL('../../docs/guides/rest.md', import.meta.url), 'utf8');
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

test.each(readdirSync(folder))('%s is valid, and names what it was tried with, like the guide', (name) => {
  const { value } = checkDefinition(folder + name);
  expect(value.name).toBe(name.replace('.yml', ''));
  const text = readFileSync(folder + name, 'utf8');
  expect(value.tested_with === undefined).toBe(text.includes('# Not tried against the live service.'));
  const [row = ''] = new RegExp(`^\\| \`${value.name}\` .*`, 'm').exec(guide) ?? [];
  expect(row.split(' | ').at(-1)?.replace(/ ?\|$/, '')).toBe(value.tested_with ?? '');
});

test('the example of the guide is valid', () => {
  const [, example = ''] = /```yaml\n([^`]+)```/.exec(guide) ?? [];
  const connector = connectorFrom(parseText(example, 'docs/guides/rest.md', definitionSchema));
  expect(Object.keys(connector.config)).toEqual(['URL', 'TOKEN', 'deliverTo']);
  expect(Object.keys(connector.tasks ?? {}).sort()).toEqual([
    'create',
    'delete',
    'suspend',
    'unsuspend',
    'update',
  ]);
});

type Replies = Record<string, { body: unknown; headers?: Record<string, string> }>;

/** Serves responses by path and query, and lists everything with a shipped definition that is pointed at them. */
async function play(name: string, base: RegExp, settings: Record<string, string>, replies: Replies) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    const reply = replies[path];
    response.writeHead(reply ? 200 : 404, reply?.headers).end(JSON.stringify(reply?.body ?? { path }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = readFileSync(`${folder}${name}.yml`, 'utf8').replaceAll(base, url);
  const connector = connectorFrom(parseText(text, name, definitionSchema), { pause: 1, env: {} });
  const { signal } = new AbortController();
  const system = await connector.connect(settings, { signal, log: silent });
  const skip = (id: string, why: string) => {
    throw new Error(`${id}: ${why}`);
  };
  const context = { from: undefined, signal, log: silent, skip, ...unreported };
  const listed: Record<string, unknown[]> = {};
  const types = { ...connector.groups, ...connector.licenses, ...connector.accounts };
  for (const [slug, type] of Object.entries(types)) {
    listed[slug] = [];
    for await (const record of type.list(system, context)) listed[slug].push(record);
  }
  return { listed, asked };
}

test('reads users and user groups of Slack', async () => {
  const member = { id: 'U1', name: 'ada', deleted: false, is_bot: false };
  const profile = { email: 'ada@acme.example', first_name: 'Ada', last_name: 'L', real_name: 'Ada L' };
  const { listed } = await play(
    'slack',
    /https:\/\/slack.com/g,
    { TOKEN: 'xoxb-1' },
    {
      '/api/usergroups.list': {
        body: { ok: true, usergroups: [{ id: 'S1', name: 'Admins', description: '' }] },
      },
      '/api/usergroups.users.list?usergroup=S1': { body: { ok: true, users: ['U1'] } },
      '/api/users.list?limit=200': {
        body: {
          ok: true,
          members: [
            { ...member, profile },
            { id: 'USLACKBOT', name: 'slackbot', is_bot: false },
          ],
          response_metadata: { next_cursor: 'dXNlcjpVMDYxTkZUVDI=' },
        },
      },
      '/api/users.list?limit=200&cursor=dXNlcjpVMDYxTkZUVDI=': {
        body: {
          ok: true,
          members: [{ id: 'U2', name: 'bob', deleted: true, profile: {} }],
          response_metadata: { next_cursor: '' },
        },
      },
    },
  );
  expect(listed.user).toMatchObject([
    {
      id: 'U1',
      email: 'ada@acme.example',
      status: 'active',
      memberships: { usergroup: [{ id: 'S1', name: 'Admins' }] },
    },
    { id: 'U2', email: null, status: 'inactive', memberships: { usergroup: [] } },
  ]);
});

test('reads users, groups and licenses of Entra ID', async () => {
  const select =
    'id,userPrincipalName,mail,givenName,surname,displayName,accountEnabled,assignedLicenses,licenseAssignmentStates';
  const users = `/v1.0/users?$select=${select}&$top=500`;
  const person = { givenName: 'Ada', surname: 'L', displayName: 'Ada L', mail: null };
  const replies: Replies = {
    '/acme/oauth2/v2.0/token': { body: { access_token: 'token', expires_in: 3599, token_type: 'Bearer' } },
    '/v1.0/groups?$select=id,displayName,description&$top=999': {
      body: { value: [{ id: 'g1', displayName: 'Sales', description: null }] },
    },
    '/v1.0/groups/g1/members?$select=id&$top=999': {
      body: { value: [{ '@odata.type': '#microsoft.graph.user', id: 'u2' }] },
    },
    '/v1.0/subscribedSkus': {
      body: {
        value: [{ skuId: 's1', skuPartNumber: 'E5', prepaidUnits: { enabled: 25 }, consumedUnits: 14 }],
      },
    },
    [users]: {
      body: {
        '@odata.nextLink': `/v1.0/users?$skiptoken=X`,
        value: [
          {
            ...person,
            id: 'u1',
            userPrincipalName: 'ada@acme.example',
            accountEnabled: true,
            assignedLicenses: [{ skuId: 's1', disabledPlans: [] }],
            licenseAssignmentStates: [{ skuId: 's1', assignedByGroup: null }],
          },
        ],
      },
    },
    '/v1.0/users?$skiptoken=X': {
      body: {
        value: [
          {
            ...person,
            id: 'u2',
            userPrincipalName: 'bob@acme.example',
            accountEnabled: false,
            assignedLicenses: [],
            licenseAssignmentStates: [],
          },
        ],
      },
    },
  };
  const settings = { TENANT: 'acme', CLIENT_ID: 'id', CLIENT_SECRET: 'secret' };
  const { listed } = await play(
    'entra-id',
    /https:\/\/(graph.microsoft.com(?=\/v1.0\n)|login.microsoftonline.com)/g,
    settings,
    replies,
  );
  expect(listed.license).toEqual([{ id: 's1', name: 'E5', max_count: 25, used_count: 14 }]);
  expect(listed.user).toMatchObject([
    { id: 'u1', status: 'active', memberships: { group: [] }, assignments: { license: [{ id: 's1' }] } },
    { id: 'u2', status: 'suspended', memberships: { group: [{ id: 'g1', name: 'Sales' }] } },
  ]);
});

test('reads members and teams of GitHub', async () => {
  const next = (path: string) => ({ link: `<${path}>; rel="next", <${path}>; rel="last"` });
  const { listed } = await play(
    'github',
    /https:\/\/api.github.com/g,
    { ORG: 'acme', TOKEN: 'ghp' },
    {
      '/orgs/acme': { body: { id: 99, login: 'acme' } },
      '/orgs/acme/teams?per_page=100': { body: [{ id: 1, slug: 'red', name: 'Red', description: null }] },
      '/organizations/99/team/1/members?per_page=100': { body: [{ login: 'ada', id: 7 }] },
      '/orgs/acme/members?role=admin&per_page=100': { body: [{ login: 'bob', id: 8 }] },
      '/orgs/acme/members?per_page=100': {
        body: [{ login: 'ada', id: 7, type: 'User' }],
        headers: next('/orgs/acme/members?per_page=100&page=2'),
      },
      '/orgs/acme/members?per_page=100&page=2': { body: [{ login: 'bob', id: 8, type: 'User' }] },
    },
  );
  expect(listed.member).toMatchObject([
    { id: '7', username: 'ada', memberships: { team: [{ id: '1', name: 'Red' }], role: [] } },
    { id: '8', username: 'bob', memberships: { team: [], role: [{ id: 'admin', name: 'Owner' }] } },
  ]);
});

test('reads agents and groups of Zendesk', async () => {
  const end = { meta: { has_more: false }, links: { next: null } };
  const settings = { SUBDOMAIN: 'acme', EMAIL: 'ada@acme.example', API_TOKEN: 'token' };
  const first = '/api/v2/users?role[]=agent&role[]=admin&page[size]=100';
  const second = `${first}&page[after]=X`;
  const { listed } = await play('zendesk', /https:\/\/\$\{SUBDOMAIN\}.zendesk.com/g, settings, {
    '/api/v2/groups?page[size]=100': { body: { groups: [{ id: 5, name: 'Support' }], ...end } },
    '/api/v2/groups/5/memberships?page[size]=100': {
      body: { group_memberships: [{ id: 1, user_id: 35436, group_id: 5 }], ...end },
    },
    [first]: {
      body: {
        users: [{ id: 35436, name: 'Ada', email: 'ada@acme.example', suspended: false }],
        meta: { has_more: true },
        links: { next: second },
      },
    },
    [second]: {
      body: { users: [{ id: 35437, name: 'Bob', email: 'bob@acme.example', suspended: true }], ...end },
    },
  });
  expect(listed.agent).toMatchObject([
    { id: '35436', status: 'active', memberships: { group: [{ id: '5', name: 'Support' }] } },
    { id: '35437', status: 'suspended', memberships: { group: [] } },
  ]);
});
