import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureOrganization } from '#bootstrap.ts';
import { suspendOrganization } from '#operate/organizations/suspend.ts';
import { ORIGIN, openTestApp, type TestApp } from '../app.ts';
import { fill } from '../operations.ts';
import { addPersonWithKey, addPersonWithRole } from '../people.ts';
import { secrets } from '../secrets.ts';
import { type Browser, openBrowser, PASSWORD, signInAs } from '../sign-in.ts';
import { setTimes } from '../time.ts';
import { until } from '../until.ts';

/**
 * Calls every operation as every kind of caller, and compares the statuses with PERMISSIONS, which states all rights.
 *
 * Ids in addresses name nothing and bodies are empty, so 400 and 404 mean that the caller was admitted.
 */

type Role = 'owner' | 'admin' | 'auditor' | 'member';

/** The access to an operation: the scope for keys, the roles for people, and whether a key for listed apps may. */
interface Permission {
  scope: 'public' | 'session' | 'bridge' | 'events' | 'read' | 'govern' | 'scim';
  roles: readonly Role[];
  listed: boolean;
}

const EVERYONE = ['owner', 'admin', 'auditor', 'member'] as const;
const ADMINISTRATORS = ['owner', 'admin'] as const;
const READERS = ['owner', 'admin', 'auditor'] as const;
const PARTICIPANTS = ['owner', 'admin', 'member'] as const;

const UNKNOWN = '0199a000-0000-7000-8000-000000000001';

/** The name of a caller, and the headers that make a request theirs. */
const callers = new Map<string, Record<string, string>>();

interface Outcome {
  status: number;
  detail: string;
}

/** The rights that protocol 16 describes. */
const PERMISSIONS = table([
  [
    { scope: 'public', roles: EVERYONE, listed: false },
    `
    GET /auth/
    POST /auth/sign-in/
    POST /auth/welcome/
    POST /auth/second-factor/
    POST /auth/passkey-sign-in/options/
    POST /auth/passkey-sign-in/
    POST /auth/sso/
    GET /auth/start/
    POST /auth/start/
    GET /auth/sso/continue/
    GET /auth/waiting/
    POST /auth/waiting/
    DELETE /auth/waiting/
    GET /auth/sso/callback/{provider}
    GET /auth/sso/saml/{provider}/metadata/
    POST /auth/sso/saml2/sp/acs/{provider}
    `,
  ],
  [
    { scope: 'session', roles: EVERYONE, listed: false },
    `
    POST /auth/sign-out/
    GET /auth/sessions/
    DELETE /auth/sessions/{session_id}/
    POST /auth/password/
    POST /auth/totp/
    DELETE /auth/totp/
    POST /auth/totp/verify/
    POST /auth/confirm/
    GET /auth/passkeys/
    POST /auth/passkeys/
    POST /auth/passkeys/options/
    DELETE /auth/passkeys/{passkey_id}/
    GET /auth/provider-links/
    DELETE /auth/provider-links/{link_id}/
    GET /api/work/
    GET /api/notifications/
    POST /api/notifications/read/
    GET /api/notifications/preferences/
    PATCH /api/notifications/preferences/
    GET /api/notifications/kinds/
    `,
  ],
  [
    { scope: 'govern', roles: ADMINISTRATORS, listed: false },
    `
    POST /api/findings/{finding_id}/assign/
    POST /api/holds/{hold_id}/confirm/
    POST /api/holds/{hold_id}/discard/
    PUT /api/apps/{app_id}/fulfillment/
    GET /api/users/{user_id}/passkeys/
    GET /api/users/{user_id}/provider-links/
    POST /api/users/{user_id}/sign-out/
    PATCH /api/organization/
    POST /api/organization/sample/
    DELETE /api/organization/sample/
    POST /api/users/
    PATCH /api/users/{user_id}/
    DELETE /api/users/{user_id}/
    POST /api/users/{user_id}/deactivate/
    POST /api/users/{user_id}/reactivate/
    POST /api/users/uploads/
    GET /api/users/uploads/sample/
    GET /api/users/uploads/{people_upload_id}/
    DELETE /api/users/uploads/{people_upload_id}/
    POST /api/users/uploads/{people_upload_id}/read/
    POST /api/users/uploads/{people_upload_id}/check/
    GET /api/users/uploads/{people_upload_id}/problems/
    POST /api/users/uploads/{people_upload_id}/apply/
    POST /api/users/import/
    POST /api/users/{user_id}/merge/
    POST /api/users/{user_id}/offboard/
    POST /api/users/duplicates/dismissed/
    DELETE /api/users/duplicates/dismissed/{user_id}/{other_id}/
    POST /api/accounts/link/
    POST /api/accounts/{account_id}/dismiss-suggestion/
    POST /api/accounts/{account_id}/restore-suggestion/
    POST /api/reviews/
    PATCH /api/reviews/{review_id}/
    DELETE /api/reviews/{review_id}/
    POST /api/reviews/{review_id}/start/
    POST /api/reviews/cycles/{cycle_id}/reviewers/{user_id}/remind/
    POST /api/policies/
    POST /api/policies/check/
    PATCH /api/policies/settings/
    PATCH /api/policies/{policy_id}/
    DELETE /api/policies/{policy_id}/
    POST /api/apps/{app_id}/syncs/{sync_id}/approve/
    POST /api/apps/{app_id}/syncs/{sync_id}/reject/
    POST /api/apps/{app_id}/held-tasks/confirm/
    POST /api/apps/{app_id}/held-tasks/reject/
    POST /api/policies/{policy_id}/confirm/
    POST /api/policies/{policy_id}/discard/
    POST /api/apps/{app_id}/syncs/{sync_id}/revert/
    POST /api/restore/
    POST /api/webhooks/
    PATCH /api/webhooks/{webhook_id}/
    DELETE /api/webhooks/{webhook_id}/
    POST /api/webhooks/{webhook_id}/replay/
    POST /api/webhooks/{webhook_id}/rotate-secret/
    POST /api/webhooks/{webhook_id}/skip/
    POST /api/webhooks/{webhook_id}/test/
    POST /api/notifications/channels/
    PATCH /api/notifications/channels/{channel_id}/
    DELETE /api/notifications/channels/{channel_id}/
    POST /api/notifications/channels/{channel_id}/test/
    `,
  ],
  [
    { scope: 'govern', roles: ADMINISTRATORS, listed: true },
    `
    POST /api/findings/{finding_id}/accept/
    POST /api/findings/{finding_id}/reopen/
    GET /api/api-keys/
    POST /api/api-keys/
    DELETE /api/api-keys/{key_id}/
    POST /api/tasks/
    POST /api/tasks/{task_id}/retry/
    POST /api/tasks/{task_id}/cancel/
    PATCH /api/accounts/{account_id}/
    POST /api/accounts/{account_id}/correlate/
    PATCH /api/apps/{app_id}/
    DELETE /api/apps/{app_id}/
    POST /api/apps/{app_id}/uploads/
    GET /api/apps/{app_id}/uploads/sample/
    GET /api/apps/{app_id}/uploads/{upload_id}/
    DELETE /api/apps/{app_id}/uploads/{upload_id}/
    POST /api/apps/{app_id}/uploads/{upload_id}/read/
    POST /api/apps/{app_id}/uploads/{upload_id}/check/
    GET /api/apps/{app_id}/uploads/{upload_id}/problems/
    POST /api/apps/{app_id}/uploads/{upload_id}/apply/
    POST /api/apps/{app_id}/disconnect/
    POST /api/apps/{app_id}/user-name/preview/
    POST /api/apps/{app_id}/reconnect/
    POST /api/connectors/check/
    POST /api/apps/{app_id}/connector/
    PATCH /api/apps/{app_id}/connector/
    DELETE /api/apps/{app_id}/connector/
    POST /api/apps/{app_id}/connector/run/
    POST /api/apps/{app_id}/connector/test/
    POST /api/apps/{app_id}/connector/preview/
    GET /api/apps/{app_id}/connector/runs/{run_id}/
    POST /api/apps/{app_id}/connector/runs/{run_id}/cancel/
    `,
  ],
  [
    { scope: 'govern', roles: ['owner'], listed: false },
    `
    POST /api/scim-clients/{key_id}/release/
    `,
  ],
  [
    { scope: 'govern', roles: READERS, listed: false },
    `
    GET /api/holds/
    GET /api/holds/{hold_id}/
    GET /api/holds/{hold_id}/people/
    GET /api/holds/{hold_id}/preview/
    GET /api/scim-clients/
    GET /api/person-groups/
    GET /api/person-groups/{group_id}/members/
    GET /api/sign-in-providers/
    GET /api/sign-in-providers/{provider}/
    GET /api/reviews/
    GET /api/reviews/{review_id}/
    GET /api/reviews/{review_id}/cycles/
    GET /api/reviews/{review_id}/preview/
    POST /api/reviews/preview/
    GET /api/reviews/cycles/{cycle_id}/evidence/
    GET /api/reviews/cycles/{cycle_id}/plan/
    GET /api/reviews/cycles/{cycle_id}/reviewers/
    GET /api/policies/
    GET /api/policies/settings/
    GET /api/policies/{policy_id}/
    POST /api/policies/{policy_id}/preview/
    POST /api/policies/{policy_id}/plans/
    GET /api/policies/{policy_id}/plans/{plan_id}/
    GET /api/overview/
    GET /api/queries/
    POST /api/queries/
    GET /api/queries/{query_id}/
    PATCH /api/queries/{query_id}/
    DELETE /api/queries/{query_id}/
    GET /api/queries/{query_id}/rows/
    GET /api/webhooks/
    GET /api/webhooks/{webhook_id}/
    GET /api/webhooks/{webhook_id}/deliveries/
    GET /api/users/duplicates/
    GET /api/users/duplicates/dismissed/
    GET /api/users/leavers/
    GET /api/users/access-by-department/
    GET /api/users/attributes/
    GET /api/users/movements/
    POST /api/policies/matches/
    GET /api/notifications/channels/
    GET /api/notifications/channels/{channel_id}/
    GET /api/notifications/deliveries/
    `,
  ],
  [
    { scope: 'govern', roles: READERS, listed: true },
    `
    GET /api/apps/{app_id}/license-trend/
    GET /api/syncs/recent/
    GET /api/apps/{app_id}/syncs/
    GET /api/apps/{app_id}/syncs/{sync_id}/
    GET /api/apps/{app_id}/syncs/{sync_id}/plan/
    GET /api/apps/{app_id}/fulfillment/
    GET /api/connectors/
    GET /api/app-connectors/
    GET /api/apps/{app_id}/connector/
    GET /api/apps/{app_id}/connector/runs/
    `,
  ],
  [
    { scope: 'govern', roles: EVERYONE, listed: false },
    `
    GET /api/users/
    GET /api/users/{user_id}/
    GET /api/users/{user_id}/history/
    GET /api/users/{user_id}/absences/
    GET /api/find/
    GET /api/connection-requests/
    GET /api/reviews/cycles/
    GET /api/reviews/cycles/{cycle_id}/
    GET /api/reviews/cycles/{cycle_id}/items/
    GET /api/reviews/cycles/{cycle_id}/items/context/
    GET /api/reviews/cycles/{cycle_id}/items/{item_id}/proof/
    `,
  ],
  [
    { scope: 'govern', roles: EVERYONE, listed: true },
    `
    GET /api/apps/
    GET /api/apps/{app_id}/
    GET /api/apps/{app_id}/resource-types/
    GET /api/apps/{app_id}/resources/
    `,
  ],
  [
    { scope: 'events', roles: READERS, listed: false },
    `
    GET /api/events/
    GET /api/events/histogram/
    GET /api/users/{user_id}/activity/
    GET /api/events/{external_uuid}/
    GET /api/event-types/
    `,
  ],
  [
    { scope: 'bridge', roles: ADMINISTRATORS, listed: true },
    `
    POST /api/v1/bridge/apps/
    GET /api/v1/bridge/apps/
    GET /api/v1/bridge/apps/{app_id}/
    GET /api/v1/bridge/apps/{app_id}/resource-types/
    POST /api/v1/bridge/apps/{app_id}/resource-types/
    PATCH /api/v1/bridge/apps/{app_id}/resource-types/{slug}/
    POST /api/v1/bridge/apps/{app_id}/check/
    POST /api/v1/bridge/apps/{app_id}/sync/
    PUT /api/v1/bridge/apps/{app_id}/sync/{sync_id}/{slug}/
    POST /api/v1/bridge/apps/{app_id}/sync/{sync_id}/complete/
    POST /api/v1/bridge/apps/{app_id}/sync/{sync_id}/abandon/
    GET /api/v1/bridge/apps/{app_id}/sync/{sync_id}/
    GET /api/v1/bridge/apps/{app_id}/tasks/
    GET /api/v1/bridge/apps/{app_id}/tasks/{task_id}/
    PATCH /api/v1/bridge/apps/{app_id}/tasks/{task_id}/status/
    `,
  ],
  [
    { scope: 'read', roles: EVERYONE, listed: true },
    `
    GET /api/tasks/
    GET /api/tasks/{task_id}/
    GET /api/tasks/{task_id}/proof/
    GET /api/tickets/
    GET /api/tickets/{ticket_id}/
    GET /api/tickets/{ticket_id}/context/
    GET /api/tickets/{ticket_id}/comments/
    GET /api/accounts/
    GET /api/accounts/{account_id}/
    GET /api/accounts/{account_id}/proof/
    GET /api/suspensions/
    GET /api/suspensions/{suspension_id}/
    GET /api/findings/
    GET /api/findings/summary/
    GET /api/findings/{finding_id}/
    GET /api/grants/
    GET /api/grants/{grant_id}/
    GET /api/users/{user_id}/access/
    GET /api/history/access/
    GET /api/history/compare/
    GET /api/history/compare/counts/
    GET /api/history/marks/
    GET /api/fulfillment/tasks/
    GET /api/fulfillment/tasks/{task_id}/
    GET /api/fulfillment/tasks/{task_id}/attachments/{attachment_id}/
    GET /api/me/
    `,
  ],
  [
    { scope: 'read', roles: EVERYONE, listed: false },
    `
    GET /api/my-team/
    GET /api/my-team/{report_id}/
    `,
  ],
  [
    { scope: 'read', roles: READERS, listed: false },
    `
    GET /api/accounts/unlinked/
    GET /api/organization/sample/
    GET /api/apps/{app_id}/held-tasks/
    `,
  ],
  [
    { scope: 'read', roles: READERS, listed: true },
    `
    GET /api/apps/{app_id}/resources/{resource_id}/members/
    GET /api/queries/fields/
    GET /api/queries/run/
    GET /api/resources/
    GET /api/resources/{resource_id}/
    `,
  ],
  [
    { scope: 'govern', roles: PARTICIPANTS, listed: true },
    `
    GET /api/catalog/
    GET /api/apps/{app_id}/approval/
    POST /api/tickets/
    POST /api/tickets/{ticket_id}/approve/
    POST /api/tickets/{ticket_id}/deny/
    POST /api/tickets/{ticket_id}/cancel/
    POST /api/tickets/{ticket_id}/reassign/
    POST /api/tickets/{ticket_id}/comments/
    POST /api/tickets/{ticket_id}/request-information/
    POST /api/tickets/{ticket_id}/provide-information/
    POST /api/fulfillment/tasks/{task_id}/complete/
    POST /api/fulfillment/tasks/{task_id}/refuse/
    POST /api/fulfillment/tasks/{task_id}/reassign/
    POST /api/fulfillment/tasks/{task_id}/attachments/
    `,
  ],
  [
    { scope: 'govern', roles: PARTICIPANTS, listed: false },
    `
    POST /api/connection-requests/
    POST /api/reviews/cycles/{cycle_id}/decisions/
    POST /api/reviews/cycles/{cycle_id}/items/reassign/
    GET /api/reviews/cycles/{cycle_id}/items/reassign/candidates/
    GET /api/tickets/{ticket_id}/reassign/candidates/
    GET /api/fulfillment/tasks/{task_id}/candidates/
    POST /api/users/{user_id}/absences/
    PATCH /api/users/{user_id}/absences/{absence_id}/
    DELETE /api/users/{user_id}/absences/{absence_id}/
    `,
  ],
  [
    { scope: 'session', roles: ADMINISTRATORS, listed: false },
    `
    POST /api/users/{user_id}/sign-in-link/
    POST /api/users/{user_id}/sign-in-link/email/
    DELETE /api/users/{user_id}/second-factor/
    DELETE /api/users/{user_id}/passkeys/{passkey_id}/
    DELETE /api/users/{user_id}/provider-links/{link_id}/
    POST /api/notifications/test-email/
    POST /api/api-keys/{key_id}/transfer/
    `,
  ],
  [
    { scope: 'session', roles: ['owner'], listed: false },
    `
    POST /api/users/{user_id}/release/
    PUT /api/person-groups/{group_id}/role/
    DELETE /api/person-groups/{group_id}/
    POST /api/sign-in-providers/
    PATCH /api/sign-in-providers/{provider}/
    DELETE /api/sign-in-providers/{provider}/
    `,
  ],
  [
    // Sessions do not have the scope.
    { scope: 'scim', roles: [], listed: false },
    `
    GET /scim/v2/Users
    POST /scim/v2/Users
    POST /scim/v2/Users/.search
    GET /scim/v2/Users/{id}
    PUT /scim/v2/Users/{id}
    PATCH /scim/v2/Users/{id}
    DELETE /scim/v2/Users/{id}
    GET /scim/v2/Groups
    POST /scim/v2/Groups
    POST /scim/v2/Groups/.search
    GET /scim/v2/Groups/{id}
    PUT /scim/v2/Groups/{id}
    PATCH /scim/v2/Groups/{id}
    DELETE /scim/v2/Groups/{id}
    POST /scim/v2/.search
    POST /scim/v2/Bulk
    GET /scim/v2/ServiceProviderConfig
    GET /scim/v2/ResourceTypes
    GET /scim/v2/ResourceTypes/{id}
    GET /scim/v2/Schemas
    GET /scim/v2/Schemas/{id}
    GET /scim/v2/Me
    `,
  ],
  [
    { scope: 'read', roles: EVERYONE, listed: false },
    `
    GET /api/organization/
    `,
  ],
]);

/** Reads lines of `METHOD /path/` with the permission that they share. */
function table(groups: [Permission, string][]): Map<string, Permission> {
  return new Map(
    groups.flatMap(([permission, lines]) =>
      lines
        .trim()
        .split('\n')
        .map((line) => [line.trim(), permission] as const),
    ),
  );
}

/** The expected outcome: admitted, or the status of the refusal. */
type Expected = 'admitted' | 401 | 403 | 404;

const NOBODY = [
  'nobody',
  'unknown key',
  'revoked key',
  'expired key',
  "deactivated person's key",
  "deactivated person's session",
];
const OUTSIDERS = ["other organization's key", "other organization's session"];
const SUSPENDED = ["suspended organization's key", "suspended organization's session"];
const KEYS = ['bridge', 'events', 'read', 'govern'];

function expectedFor(caller: string, { scope, roles, listed }: Permission): Expected {
  const isPublic = scope === 'public';
  if (SUSPENDED.includes(caller)) return 403;
  if (isPublic) return 'admitted';
  if (NOBODY.includes(caller)) return 401;
  if (OUTSIDERS.includes(caller)) return 404;
  if ((EVERYONE as readonly string[]).includes(caller))
    return roles.includes(caller as Role) ? 'admitted' : 403;
  if (scope === 'session') return 403;
  switch (caller) {
    case 'key for listed apps':
      return listed ? 'admitted' : 403;
    case "member's key":
      return scope === 'bridge' || scope === 'events' || roles.includes('member') ? 'admitted' : 403;
    default:
      return caller === `${scope} key` ? 'admitted' : 403;
  }
}

let service: TestApp;
let operations: { method: string; path: string; takesBody: boolean }[];
/** Outcomes by operation, then by caller. */
const outcomes = new Map<string, Map<string, Outcome>>();

beforeAll(async () => {
  service = await openTestApp({ own: true });
  operations = await allOperations();
  await addCallers();
  for (const operation of operations) {
    const row = new Map<string, Outcome>();
    for (const caller of callers.keys()) row.set(caller, await outcomeOf(operation, caller));
    outcomes.set(`${operation.method} ${operation.path}`, row);
  }
}, 300_000);
afterAll(() => service.close());

/** All operations below base_url. Those that end a session come last. */
async function allOperations() {
  const document = (await service.app.http.inject('/openapi.json')).json<{ paths: Record<string, object> }>();
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice('/org/{org}'.length),
      takesBody: 'requestBody' in (operation as object),
      isBelow: path.startsWith('/org/{org}'),
    })),
  );
  const endsSession = ({ path }: { path: string }) => path === '/auth/sign-out/';
  return all.filter(({ isBelow }) => isBelow).sort((a, b) => Number(endsSession(a)) - Number(endsSession(b)));
}

const cookiesOf = ({ cookies }: Browser) => ({
  origin: ORIGIN,
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});
const bearer = (key: string) => ({ authorization: `Api-Key ${key}` });

/** Creates a caller of each kind, in the order of the columns. */
async function addCallers() {
  const owner = await openOwner('acme');
  const keyWith = async (request: object) =>
    (await service.call('POST', '/api/api-keys/', { name: 'matrix', ...request })).body;
  const everything = { scopes: KEYS, apps: null };

  callers.set('nobody', {});
  callers.set('unknown key', bearer('x'.repeat(40)));
  const revoked = await keyWith(everything);
  await service.call('DELETE', `/api/api-keys/${revoked.id}/`);
  callers.set('revoked key', bearer(revoked.key));
  const expired = await keyWith({ ...everything, expires_at: '2099-01-01T00:00:00Z' });
  await setTimes(service, 'api_key', { expires_at: '1 day ago' }, { id: expired.id });
  callers.set('expired key', bearer(expired.key));
  const leaver = await addPersonWithKey(service, 'admin');
  const leaverSession = await signInAs(service, { external_uuid: leaver.id, email: leaver.email });
  await service.call('POST', `/api/users/${leaver.id}/deactivate/`);
  callers.set("deactivated person's key", bearer(leaver.key));
  callers.set("deactivated person's session", cookiesOf(leaverSession));

  callers.set('owner', cookiesOf(owner));
  for (const role of EVERYONE.slice(1)) {
    const person = await addPersonWithRole(service, `the-${role}@acme.example`, role);
    callers.set(role, cookiesOf(await signInAs(service, person)));
  }
  for (const scope of KEYS)
    callers.set(`${scope} key`, bearer((await keyWith({ scopes: [scope], apps: null })).key));
  // The first key has every scope but this one.
  const { body: scim } = await owner.call('POST', '/api/api-keys/', { name: 'matrix', scopes: ['scim'] });
  callers.set('scim key', bearer(scim.key));
  callers.set('key for listed apps', bearer((await keyWith({ scopes: KEYS, apps: [] })).key));
  callers.set("member's key", bearer((await addPersonWithKey(service, 'member')).key));

  const other = await addOrganizationWithOwner('other');
  callers.set("other organization's key", bearer(other.key));
  callers.set("other organization's session", cookiesOf(other.browser));
  const suspended = await addOrganizationWithOwner('suspended');
  callers.set("suspended organization's key", bearer(suspended.key));
  callers.set("suspended organization's session", cookiesOf(suspended.browser));
  await suspendOrganization(service.database.db, 'suspended', 'A test suspended it.');
  // Every node learns of it within seconds.
  const isServed = async () =>
    (await service.call('GET', '/api/me/', undefined, { org: 'suspended', key: suspended.key })).status ===
    200;
  await until('the suspension', isServed, (served) => !served, { everyMs: 100 });
}

async function openOwner(org: string): Promise<Browser> {
  const browser = openBrowser(service, org);
  const { status } = await browser.call('POST', '/auth/sign-in/', {
    email: `admin@${org}.example`,
    password: PASSWORD,
  });
  if (status !== 200) throw new Error(`The owner of ${org} could not sign in: status ${status}.`);
  return browser;
}

async function addOrganizationWithOwner(org: string) {
  const made = await ensureOrganization(service.database.db, secrets, {
    org,
    apiKey: undefined,
    adminEmail: `admin@${org}.example`,
    adminPassword: PASSWORD,
  });
  return { key: made?.apiKey ?? '', browser: await openOwner(org) };
}

async function outcomeOf(
  { method, path, takesBody }: (typeof operations)[number],
  caller: string,
): Promise<Outcome> {
  const address = fill(path, () => UNKNOWN);
  const type = path.endsWith('/import/') ? { 'content-type': 'text/csv' } : {};
  const { status, body } = await service.call(method, address, takesBody ? {} : undefined, {
    key: null,
    org: SUSPENDED.includes(caller) ? 'suspended' : 'acme',
    headers: { ...callers.get(caller), ...type },
  });
  return { status, detail: typeof body === 'object' ? String(body?.detail) : '' };
}

const classOf = ({ status, detail }: Outcome): Expected => {
  if (status === 401 || status === 403) return status;
  return status === 404 && detail.startsWith('Nothing exists at this address') ? 404 : 'admitted';
};

test('states a permission for every operation, and no other', () => {
  expect([...PERMISSIONS.keys()].sort()).toEqual([...outcomes.keys()].sort());
});

test('admits and refuses every caller as the permissions state', () => {
  const wrong: string[] = [];
  for (const [operation, row] of outcomes) {
    const permission = PERMISSIONS.get(operation);
    if (permission === undefined) continue;
    for (const [caller, outcome] of row) {
      const expected = expectedFor(caller, permission);
      if (classOf(outcome) !== expected)
        wrong.push(`${operation} as ${caller}: ${outcome.status} ${outcome.detail}, expected ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
});
