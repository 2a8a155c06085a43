import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithRole } from '#test/people.ts';
import { GROUP, openScim, patchOf, scimCaller } from '#test/scim.ts';
import { type BrowserCall, openBrowser, PASSWORD, signInAs, signInAsOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';

/**
 * The callers who can obtain the power of others (D70): each act that lets its caller sign in as another person, by each
 * kind of caller.
 */

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp({ own: true });
});
afterAll(() => service.close());

const ROLES = ['owner', 'admin', 'auditor', 'member'] as const;
type Role = (typeof ROLES)[number];
type Person = { external_uuid: string; email: string };

const somebody = (role: Role) => addPersonWithRole(service, `${role}-${randomUUID()}@acme.example`, role);
async function signedIn(role: Role): Promise<{ person: Person; call: BrowserCall }> {
  const person = await somebody(role);
  return { person, call: (await signInAs(service, person)).call };
}
const setRole = ({ external_uuid }: Person, role: Role) =>
  sql`update platform_user set role = ${role} where id = ${external_uuid}`.execute(service.database.db);
const age = (person: Person, minutes: number) =>
  setTimes(
    service,
    'sign_in_session',
    { authenticated_at: `${minutes} minutes ago` },
    { user_id: person.external_uuid },
  );

const ACTS: Record<string, (call: BrowserCall, person: Person) => ReturnType<BrowserCall>> = {
  'create a sign-in link': (call, { external_uuid: id }) => call('POST', `/api/users/${id}/sign-in-link/`),
  'remove the second factor': (call, { external_uuid: id }) =>
    call('DELETE', `/api/users/${id}/second-factor/`),
  'remove a passkey': (call, { external_uuid: id }) =>
    call('DELETE', `/api/users/${id}/passkeys/${randomUUID()}/`),
  'remove a provider link': (call, { external_uuid: id }) =>
    call('DELETE', `/api/users/${id}/provider-links/${randomUUID()}/`),
  'change the email': (call, { external_uuid: id }) =>
    call('PATCH', `/api/users/${id}/`, { email: `${randomUUID()}@acme.example` }),
  'take the role': (call, { external_uuid: id }) => call('PATCH', `/api/users/${id}/`, { role: 'member' }),
  'give the role admin': (call, { external_uuid: id }) =>
    call('PATCH', `/api/users/${id}/`, { role: 'admin' }),
};
/** An act that takes or gives nothing is not one. */
const isAct = (act: string, role: Role) =>
  !(act === 'take the role' && role === 'member') && !(act === 'give the role admin' && role === 'admin');

/** For each act and caller, the roles of the people on whom the caller may do it. `self` is the caller. */
const ALLOWED: Record<string, Partial<Record<Role | 'key', string>>> = {
  'create a sign-in link': { owner: 'owner admin auditor member', admin: 'member' },
  'remove the second factor': { owner: 'owner admin auditor member', admin: 'member' },
  'remove a passkey': { owner: 'owner admin auditor member', admin: 'member' },
  'remove a provider link': { owner: 'owner admin auditor member', admin: 'member' },
  'change the email': { owner: 'owner admin auditor member self', admin: 'member', key: 'member' },
  // Nobody gets the role that a key takes: it cannot assign the role again.
  'take the role': { owner: 'owner admin auditor self', key: 'owner admin auditor' },
  'give the role admin': { owner: 'owner auditor member self', admin: 'member' },
};

test.each([...ROLES, 'key' as const])('the power that a caller with the role %s can obtain', async (role) => {
  const self = role === 'key' ? undefined : await signedIn(role);
  const call = self?.call ?? service.call;
  const found: Record<string, string> = {};
  for (const [act, make] of Object.entries(ACTS)) {
    const targets = ROLES.filter((target) => isAct(act, target));
    const admitted: string[] = [];
    for (const target of targets) {
      if ((await make(call, await somebody(target))).status !== 403) admitted.push(target);
    }
    if (self !== undefined && isAct(act, role as Role)) {
      if ((await make(call, self.person)).status !== 403) admitted.push('self');
      await setRole(self.person, role as Role);
    }
    if (admitted.length > 0) found[act] = admitted.join(' ');
  }
  const expected = Object.entries(ALLOWED).flatMap(([act, of]) => (of[role] ? [[act, of[role]]] : []));
  expect(found).toEqual(Object.fromEntries(expected));
});

const CHANNEL = { type: 'slack', name: 'alarms', kinds: ['request_waiting'] };

test('an old session gains nothing that outlasts it', async () => {
  const { person, call } = await signedIn('owner');
  const admin = await somebody('admin');
  const member = await somebody('member');
  await age(person, 16);

  const acts: [string, string, unknown?][] = [
    ['POST', `/api/users/${member.external_uuid}/sign-in-link/`],
    ['POST', `/api/users/${member.external_uuid}/sign-in-link/email/`],
    ['DELETE', `/api/users/${member.external_uuid}/second-factor/`],
    ['DELETE', `/api/users/${member.external_uuid}/passkeys/${randomUUID()}/`],
    ['DELETE', `/api/users/${member.external_uuid}/provider-links/${randomUUID()}/`],
    ['DELETE', `/auth/provider-links/${randomUUID()}/`],
    ['POST', '/api/api-keys/', { name: 'lasting' }],
    ['POST', `/api/api-keys/${randomUUID()}/transfer/`, { user: person.external_uuid }],
    ['PATCH', `/api/users/${member.external_uuid}/`, { role: 'auditor' }],
    ['PATCH', `/api/users/${admin.external_uuid}/`, { email: `${randomUUID()}@acme.example` }],
    ['POST', '/api/users/', { email: `${randomUUID()}@acme.example`, role: 'admin' }],
    ['POST', '/api/webhooks/', { name: 'x', url: 'https://example.com/' }],
    ['POST', `/api/webhooks/${randomUUID()}/rotate-secret/`],
    ['POST', '/api/notifications/channels/', { ...CHANNEL, url: 'https://example.com/' }],
    ['PUT', `/api/person-groups/${randomUUID()}/role/`, { role: 'admin' }],
    ['PATCH', '/api/organization/', { second_factor_roles: [] }],
    ['POST', '/auth/totp/', { password: 'x' }],
  ];
  const outcomes = new Map<string, unknown>();
  for (const [method, path, body] of acts) {
    const { status, body: answer } = await call(method, path, body);
    outcomes.set(`${method} ${path}`, status === 403 ? answer.errors?.[0]?.code : status);
  }
  expect([...new Set(outcomes.values())]).toEqual(['confirmation_required']);
  expect((await call('PATCH', `/api/users/${member.external_uuid}/`, { last_name: 'Known' })).status).toBe(
    200,
  );
  expect((await call('POST', `/api/users/${admin.external_uuid}/deactivate/`)).status).toBe(200);
  expect((await call('POST', `/api/users/${admin.external_uuid}/reactivate/`)).status).toBe(403);

  await age(person, 1);
  expect((await call('POST', `/api/users/${admin.external_uuid}/reactivate/`)).status).toBe(200);
});

test('an API key cannot manage how anybody signs in', async () => {
  const member = await somebody('member');
  for (const act of [
    'create a sign-in link',
    'remove the second factor',
    'remove a passkey',
    'remove a provider link',
  ])
    expect(await ACTS[act]?.(service.call, member)).toMatchObject({
      status: 403,
      body: { detail: 'API keys cannot do this. Sign in to the console instead.' },
    });
});

test('an old session cannot send events elsewhere', async () => {
  const { person, call } = await signedIn('admin');
  const url = 'https://example.com/';
  const webhook = await call('POST', '/api/webhooks/', { name: 'feed', url });
  const channel = await call('POST', '/api/notifications/channels/', { ...CHANNEL, url });
  await age(person, 16);
  const change = (path: string, body: object) => call('PATCH', path, body);
  const [feed, alarms] = [
    `/api/webhooks/${webhook.body.id}/`,
    `/api/notifications/channels/${channel.body.external_uuid}/`,
  ];

  const elsewhere = { url: 'https://example.org/' };
  for (const [path, body] of [
    [feed, elsewhere],
    [alarms, elsewhere],
    [alarms, { show_reasons: true }],
  ] as const)
    expect(await change(path, body)).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'confirmation_required' }] },
    });
  expect((await change(feed, { url, name: 'renamed' })).status).toBe(200);
  expect((await change(alarms, { enabled: false, show_reasons: false })).status).toBe(200);
});

test('an administrator whose role an identity provider took is still managed by owners only', async () => {
  const { scim, owner } = await openScim(service);
  const victim = await somebody('member');
  const value = victim.external_uuid;
  const named = { schemas: [GROUP], displayName: randomUUID(), members: [{ value }] };
  const group = (await scim('POST', '/Groups', named)).body.id;
  await owner('PUT', `/api/person-groups/${group}/role/`, { role: 'admin' });
  const role = async () => (await owner('GET', `/api/users/${value}/`)).body.role;
  expect(await role()).toBe('admin');

  const attacker = await signedIn('admin');
  const { key } = (await attacker.call('POST', '/api/api-keys/', { name: 'idp', scopes: ['scim', 'govern'] }))
    .body;
  const remove = patchOf({ op: 'remove', path: `members[value eq "${value}"]` });
  await scimCaller(service, key)('PATCH', `/Groups/${group}`, remove);
  expect(await role()).toBe('member');

  for (const act of [
    'create a sign-in link',
    'remove the second factor',
    'remove a passkey',
    'remove a provider link',
    'change the email',
  ])
    expect({ act, status: (await ACTS[act]?.(attacker.call, victim))?.status }).toEqual({ act, status: 403 });
  const email = `${randomUUID()}@acme.example`;
  expect((await service.call('PATCH', `/api/users/${value}/`, { email }, { key })).status).toBe(403);
  expect((await owner('PATCH', `/api/users/${value}/`, { email })).status).toBe(200);
  expect((await owner('POST', `/api/users/${value}/sign-in-link/`)).status).toBe(200);
});

test('an administrator who knows the password of a member cannot sign in once the member is an owner', async () => {
  const { call } = await signedIn('admin');
  const [member, other] = [await somebody('member'), await somebody('member')];
  await signInAs(service, member, call);
  await signInAs(service, other);
  const { call: owner } = await signInAsOwner(service);
  for (const { external_uuid } of [member, other])
    expect((await owner('PATCH', `/api/users/${external_uuid}/`, { role: 'owner' })).status).toBe(200);

  const signIn = async ({ email }: Person) =>
    (await openBrowser(service).call('POST', '/auth/sign-in/', { email, password: PASSWORD })).status;
  expect(await signIn(member)).toBe(401);
  expect(await signIn(other)).toBe(200);
});
