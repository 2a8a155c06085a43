import { generateKeyPairSync } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Reply } from '@gatehouse/connector/conformance';
import { parseText } from '@gatehouse/connector/declarative';
import { expect, test } from 'vitest';
import { definitionSchema } from './index.ts';
import { openDefinition, shipped } from './test/server.ts';

const names = readdirSync(fileURLToPath(new URL('./definitions/', import.meta.url)));
const address = /\$\{API_URL:-[^}]*\}|\$\{URL\}|https:\/\/[^\s/'"]+/g;

/** Lists that the API returns in one response, by the documentation of the vendor. */
const whole: Record<string, string[]> = {
  'entra-id': ['license'],
  github: ['role'],
  rabbitmq: ['tag', 'vhost', 'user'],
  redmine: ['group', 'role'],
  slack: ['usergroup'],
};

const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const settings = {
  ...Object.fromEntries(
    ['CLIENT_ID', 'CLIENT_SECRET', 'TENANT', 'SITE', 'EMAIL', 'MY_DOMAIN', 'DOMAIN', 'SUBDOMAIN', 'ORG'].map(
      (name) => [name, 'x'],
    ),
  ),
  ...{ TOKEN: 'x', API_TOKEN: 'x', API_KEY: 'x', USERNAME: 'x', PASSWORD: 'x' },
  ...{ CLIENT_EMAIL: 'a@example.com', ADMIN_EMAIL: 'a@example.com' },
  PRIVATE_KEY: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

/** An item with an id and a name at each place where a vendor has it. */
const itemOf = (id: string) => ({
  ...{ id, Id: id, accountId: id, groupId: id, user_id: id, AssigneeId: id, UserId: id, skuId: id, user: id },
  ...{ name: id, displayName: id, full_path: id, Label: id, Name: id, skuPartNumber: id, parent_id: null },
  ...{ profile: { name: id }, policies: [], admin_access: false, accountType: 'atlassian', type: 'USER' },
  '@odata.type': '#microsoft.graph.user',
});

/** A response in the forms of all vendors. `next` leads to the second page. */
function replyOf(items: object[], next: string | undefined): Reply {
  const token = next === undefined ? undefined : '2';
  const lists = Object.fromEntries(
    [
      'data',
      'value',
      'groups',
      'users',
      'members',
      'values',
      'records',
      'usergroups',
      'group_memberships',
    ].map((name) => [name, items]),
  );
  const body = {
    ...{ ok: true, access_token: 'x', expires_in: 3600, token_type: 'Bearer', id: 99, ...lists },
    ...{ total: 4, totalSize: 4, total_count: 4, meta: { filter_count: 4, has_more: next !== undefined } },
    ...{ '@odata.nextLink': next, nextPageToken: token, nextRecordsUrl: next },
    ...{ response_metadata: { next_cursor: token ?? '' }, links: { next: next ?? null } },
    group: { users: items },
  };
  return { body, headers: next ? { link: `<${next}>; rel="next"` } : {} };
}

const answerOf = (name: string): Answer => {
  // APIs whose lists are arrays.
  const bare = ['github', 'gitlab', 'okta', 'rabbitmq'].includes(name);
  return (line, _nth, url) => {
    if (line.endsWith('/usergroups.users.list')) return { body: { ok: true, users: ['1'] } };
    const isSecond = ['probe', 'page', 'pageToken', 'cursor'].some(
      (each) => url.searchParams.get(each) === '2',
    );
    const position = Number(url.searchParams.get('startAt') ?? url.searchParams.get('offset') ?? 0);
    const items =
      isSecond || position === 2
        ? ['3', '4']
        : position > 2 || Number(url.searchParams.get('page')) > 2
          ? []
          : ['1', '2'];
    const isFirst = items[0] === '1';
    const reply = replyOf(items.map(itemOf), isFirst ? `${url.pathname}?probe=2` : undefined);
    const isArray = (bare && !/^GET \/orgs\/x$/.test(line)) || line.endsWith('/users/search');
    return isArray ? { ...reply, body: items.map(itemOf) } : reply;
  };
};

test.each(names.map((file) => file.replace('.yml', '')))(
  'each list of %s reports that its records may move, unless it is one response',
  async (name) => {
    const text = shipped(name, address);
    const { value } = parseText(text, name, definitionSchema);
    const { list, reports } = await openDefinition(text, answerOf(name), {
      settings: { URL: 'x', ...settings },
    });
    const slugs = Object.keys({ ...value.groups, ...value.licenses, ...value.accounts });
    for (const slug of slugs) await list(slug);
    expect(slugs.filter((slug) => !reports.shifts.has(slug))).toEqual(whole[name] ?? []);
  },
);
