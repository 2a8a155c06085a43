import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { type Answer, ORIGIN } from '../app.ts';
import { openAuthenticator } from '../authenticator.ts';
import { canonicalOf } from '../canonical.ts';
import type { Envelope } from '../event-log.ts';
import { openSamlProvider } from '../saml.ts';
import { type Ids, idOf, SAMPLES, type Sample } from '../samples.ts';
import { newUser, patchOf, type Scim, scimCaller } from '../scim.ts';
import {
  type Browser,
  codeOf,
  forgetAttempts,
  openBrowser,
  PASSWORD,
  signInAs,
  signInLinkToken,
} from '../sign-in.ts';
import { addSyncedApp, openSyncTest, people, type SyncTest } from '../sync.ts';
import { until } from '../until.ts';

/**
 * Proves that no change goes without a trace: each operation of the API that can change something is called once, and
 * must leave an event of either catalog. A new operation fails this test until it has a scenario here, or a sample (samples.ts).
 */
let service: SyncTest;
let owner: Browser;
let scim: Scim;
/** The things that samples name. */
let ids: Ids;
beforeAll(async () => {
  // Nothing listens there.
  service = await openSyncTest({ mail: { url: 'smtp://127.0.0.1:1', from: 'gatehouse@acme.example' } });
  owner = openBrowser(service);
  const { status } = await owner.call('POST', '/auth/sign-in/', {
    email: 'admin@acme.example',
    password: PASSWORD,
  });
  expect(status).toBe(200);
  const { key: scimKey } = await made(
    owner.call('POST', '/api/api-keys/', { name: 'identity provider', scopes: ['scim'] }),
  );
  scim = scimCaller(service, scimKey);
  const [user, other] = [await newPerson(), await newPerson()];
  ids = { app_id: (await newApp()).id, user_id: user.external_uuid, other_id: other.external_uuid };
});
afterAll(async () => {
  try {
    const { rows } = await sql<{
      body: string;
    }>`select body from event where org_id = ${service.orgId}`.execute(service.database.db);
    expect(rows.length).toBeGreaterThan(0);
    // The text of each event is the one that a hash of it can be computed from again.
    for (const { body } of rows) expect(body).toBe(canonicalOf(JSON.parse(body)));
  } finally {
    await service.close();
  }
});
beforeEach(() => forgetAttempts(service));

const SAMPLE_COMPANY = {
  ...{
    status: 'complete',
    lease: null,
    suffix: '',
    people: [],
    apps: [],
    sessions: [],
    policy: null,
    review: null,
  },
  removed: { apps: 0, apps_archived: 0, people: 0, people_deactivated: 0, people_kept: 0 },
};

/** Operations that leave no event, each with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'POST /api/organization/sample/': 'Needs an empty organization. sample.test.ts expects its event.',
  'POST /api/policies/check/': 'Checks a condition. It stores nothing.',
  'POST /api/policies/matches/': 'Counts people. It stores nothing.',
  'POST /api/connectors/check/': 'Checks a definition. It stores nothing.',
  'POST /api/apps/{app_id}/user-name/preview/': 'Shows user names. It stores and reserves nothing.',
  'POST /api/policies/{policy_id}/preview/': 'Shows tasks without creating them.',
  'POST /api/reviews/preview/': 'Counts items. It stores nothing.',
  'POST /api/policies/{policy_id}/plans/': 'Lists tasks without creating them.',
  'PUT /api/v1/bridge/apps/{app_id}/sync/{sync_id}/{slug}/':
    'Stages a page. The events are recorded when the session publishes it.',
  'POST /api/apps/{app_id}/uploads/{upload_id}/read/': 'Reads a stored file in another way.',
  'POST /api/apps/{app_id}/uploads/{upload_id}/check/':
    'Lets a job check the rows. The job records the sync session that it starts.',
  'POST /api/users/uploads/{people_upload_id}/read/': 'Reads a stored file in another way.',
  'POST /api/users/uploads/{people_upload_id}/check/': 'Shows changes without making them.',
  'POST /api/webhooks/{webhook_id}/test/': 'Sends an example. The delivery log shows it.',
  'POST /scim/v2/.search': 'Reads. The filter is in the body.',
  'POST /scim/v2/Users/.search': 'Reads. The filter is in the body.',
  'POST /scim/v2/Groups/.search': 'Reads. The filter is in the body.',
  'POST /auth/passkey-sign-in/options/': 'Begins a sign-in. Its end is recorded.',
  'POST /auth/sso/': 'Begins a sign-in. Its end is recorded.',
  'POST /auth/start/': 'Redirects to the address that begins a sign-in. Its end is recorded.',
  'DELETE /auth/waiting/': 'Discards a sign-in that never took place. The session of the person stays.',
  'POST /auth/passkeys/options/': 'Begins to add a passkey. Its end is recorded.',
  'POST /auth/confirm/': 'Renews the sign-in of a session. Changes that require it are recorded.',
  'POST /api/notifications/read/': "Marks a person's own messages. It changes nothing else.",
  'PATCH /api/notifications/preferences/': 'Chooses how a person gets their own messages.',
  'POST /api/notifications/channels/{channel_id}/test/': 'Posts a test message. It stores nothing.',
  'POST /api/notifications/test-email/': 'Sends a test email to the caller. It stores nothing.',
  'POST /api/users/{user_id}/sign-in-link/':
    'Refused, since this service has a mail server. sign-in.test.ts shows its event.',
  'POST /auth/totp/': 'Begins to add a second factor. The factor counts once its first code was entered.',
};

/** Prepares an operation and returns its call. Only the call must leave an event. */
type Scenario = () => Promise<() => Promise<Answer>>;

let number = 0;
const fresh = (what: string) => `${what}-${++number}`;

const made = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  if (status > 299) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};
/** Calls with the first owner's API key. */
const key = (method: string, path: string, body?: unknown, more = {}) =>
  service.call(method, path, body, more);

const newPerson = (more: object = {}) =>
  made(key('POST', '/api/users/', { email: `${fresh('person')}@acme.example`, ...more }));
const scimUser = () => made(scim('POST', '/Users', newUser()));
const scimGroup = () => made(scim('POST', '/Groups', { displayName: fresh('Group') }));
const newApp = () => addSyncedApp(service);
const signedIn = async () => {
  const person = await newPerson();
  return { person, browser: await signInAs(service, person, owner.call) };
};

const newTask = async (more: object = {}) => {
  const app = await newApp();
  const { external_uuid: user } = await newPerson();
  const body = { app: app.id, user, action: 'create_account', ...more };
  return { app, task: (await made(key('POST', '/api/tasks/', body))).external_uuid as string };
};
const reportOf = (app: { id: string }, task: string, body: object) =>
  key('PATCH', `/api/v1/bridge/apps/${app.id}/tasks/${task}/status/`, body);

const FULFILLMENT = {
  enabled: true,
  assignment: 'round_robin',
  people: [] as string[],
  groups: [],
  instructions: {},
  due_in_working_days: {},
  remind_before_working_days: 1,
  escalate_after_working_days: null,
};
/** A task that the owner carries out. */
const ownTask = async (...others: string[]) => {
  const { app, task } = await newTask();
  const people = [(await made(key('GET', '/api/me/'))).external_uuid];
  await made(key('PUT', `/api/apps/${app.id}/fulfillment/`, { ...FULFILLMENT, people }));
  const path = `/api/fulfillment/tasks/${task}`;
  await expect.poll(async () => (await key('GET', `${path}/`)).status, { timeout: 20_000 }).toBe(200);
  const more = { ...FULFILLMENT, people: [...people, ...others] };
  if (others.length > 0) await made(key('PUT', `/api/apps/${app.id}/fulfillment/`, more));
  return path;
};

const connected = async () => {
  const app = await newApp();
  const path = `/api/apps/${app.id}/connector/`;
  const settings = { url: 'https://app.example' };
  await made(key('POST', path, { type: 'scim', settings, secrets: { token: 'a token' }, paused: true }));
  return path;
};

/** A deletion that exceeds the daily budget of its app. */
const heldTask = async () => {
  const app = await appWithAccounts();
  await made(key('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 1, at_least: 1 } }));
  const { results } = await made(key('GET', `/api/accounts/?app=${app.id}`));
  const body = { app: app.id, account: results[0].external_uuid, action: 'delete_account' };
  expect(await made(key('POST', '/api/tasks/', body))).toMatchObject({ waits_for: 'confirmation' });
  return `/api/apps/${app.id}/held-tasks`;
};

const newHold = async () => {
  await heldTask();
  const { results } = await made(key('GET', '/api/holds/?status=open'));
  return `/api/holds/${results[0].external_uuid}`;
};

/** The finding about somebody who has left, and still has an account. */
const newFinding = async () => {
  const app = await appWithAccounts();
  const [account] = (await made(key('GET', `/api/accounts/?app=${app.id}`))).results;
  const { external_uuid: user } = await newPerson();
  await made(key('PATCH', `/api/accounts/${account.external_uuid}/`, { user }));
  await made(key('POST', `/api/users/${user}/deactivate/`));
  const found = async () => (await made(key('GET', `/api/findings/?subject=${user}`))).results[0];
  await expect.poll(found, { timeout: 20_000 }).toBeDefined();
  return `/api/findings/${(await found()).external_uuid}`;
};
const acceptance = () => ({
  until: new Date(Date.now() + 86_400_000).toISOString(),
  reason: 'In a test',
});

/** A request of another person, so that the owner may decide it. */
const newTicket = async () => {
  const app = await newApp();
  const { person, browser } = await signedIn();
  const body = { app: app.id, user: person.external_uuid, type: 'NEW_ACCESS' };
  const { external_uuid } = await made(browser.call('POST', '/api/tickets/', body));
  return `/api/tickets/${external_uuid}`;
};
const OVERRIDE = { override: true, comment: 'In a test' };

const newAbsence = async () => {
  const { external_uuid: deputy } = await newPerson();
  return { deputy, starts_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-08T00:00:00Z' };
};
const absencePath = async () => {
  const path = `/api/users/${(await newPerson()).external_uuid}/absences/`;
  return `${path}${(await made(key('POST', path, await newAbsence()))).external_uuid}/`;
};
const newUpload = async (path: string) => {
  const text = `id,email\n1,${fresh('uploaded')}@x.example`;
  const { upload_id } = await made(key('POST', `${path}?file_name=a.csv`, text));
  return `${path}${upload_id}/`;
};

const newPolicy = (more: object = {}) =>
  made(
    key('POST', '/api/policies/', {
      name: fresh('policy'),
      trigger: 'user.deactivated',
      condition: 'false',
      effects: [{ do: 'delete', app: 'all' }],
      ...more,
    }),
  );
/** A webhook that delivers nothing. */
const webhook = () => ({ name: fresh('webhook'), url: 'http://127.0.0.1:9/', enabled: false });

/** A policy with more actions than the limit of one. */
const heldPolicy = async () => {
  await made(key('PATCH', '/api/policies/settings/', { task_limit: 1 }));
  const app = await newApp();
  const prefix = fresh('held');
  const { external_uuid } = await newPolicy({
    trigger: 'user.created',
    condition: `user.email.startsWith("${prefix}")`,
    effects: [{ do: 'grant', app: app.id }],
  });
  const lines = [1, 2, 3].map((n) => `${prefix}.${n}@acme.example`);
  await made(
    key('POST', '/api/users/import/', ['email', ...lines].join('\n'), {
      headers: { 'content-type': 'text/csv' },
    }),
  );
  const path = `/api/policies/${external_uuid}`;
  await expect
    .poll(async () => (await key('GET', `${path}/`)).body.pending_confirmation?.status, { timeout: 20_000 })
    .toBe('held');
  return path;
};

const newCampaign = async (more: object = {}) =>
  `/api/reviews/${(await made(key('POST', '/api/reviews/', { name: fresh('campaign'), ...more }))).external_uuid}`;
const appWithAccounts = async (count = 2) => {
  const app = await newApp();
  await app.sync({ person: people(count, (n) => ({ email: `${fresh('account')}.${n}@x.example` })) });
  return app;
};

/** A sync whose removals wait for an administrator. */
const heldSync = async () => {
  const app = await appWithAccounts(10);
  await made(key('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 1 } }));
  const session = await app.start();
  await app.push(session, 'person', people(1));
  expect((await app.complete(session)).held).toBeDefined();
  return `/api/apps/${app.id}/syncs/${session}`;
};

const newProvider = async () => {
  const saml = openSamlProvider();
  const id = fresh('provider');
  const input = { id, name: id, saml: { idp_metadata: saml.metadata } };
  return { saml, id, input };
};
const addedProvider = async () => {
  const provider = await newProvider();
  await made(owner.call('POST', '/api/sign-in-providers/', provider.input));
  return provider;
};

const linkFor = (person: { external_uuid: string; email: string }) =>
  signInLinkToken(service, person, owner.call);
const device = () => openAuthenticator(new URL(ORIGIN).origin);
const withPasskey = async () => {
  const { person, browser } = await signedIn();
  const authenticator = device();
  const options = await made(browser.call('POST', '/auth/passkeys/options/'));
  const added = browser.call('POST', '/auth/passkeys/', {
    name: 'Laptop',
    response: authenticator.create(options),
  });
  return { person, browser, authenticator, id: (await made(added)).id };
};
const withProviderLink = async () => {
  const { person, browser } = await signedIn();
  const id = randomUUID();
  await sql`
    insert into sign_in_account (org_id, id, user_id, provider_id, account_id)
    select org_id, ${id}, id, 'idp', ${id} from platform_user where id = ${person.external_uuid}`.execute(
    service.database.db,
  );
  return { person, browser, id };
};
const withSecondFactor = async () => {
  const { person, browser } = await signedIn();
  const { uri, backup_codes } = await made(browser.call('POST', '/auth/totp/', { password: PASSWORD }));
  await made(browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) }));
  return { person, browser, uri, backupCode: backup_codes[0] as string };
};

/** Creates, changes and deletes a sample of each resource. */
function scenariosOf({ at, one, create, changes, byOwner }: Sample): [string, Scenario][] {
  const call: typeof key = (...request) => (byOwner ? owner.call : key)(...request);
  const body = () => create(ids, fresh('sample'));
  const added = async () => one?.replace(/\{\w+\}/, idOf(await made(call('POST', at, body())))) ?? '';
  const on = async (method: string, change?: object) => {
    const path = await added();
    return () => call(method, path, change);
  };
  const scenarios: [string, Scenario][] = [[`POST ${at}`, async () => () => call('POST', at, body())]];
  if (changes !== undefined) scenarios.push([`PATCH ${one}`, () => on('PATCH', changes[0])]);
  if (one !== undefined) scenarios.push([`DELETE ${one}`, () => on('DELETE')]);
  return scenarios;
}

const SCENARIOS: Record<string, Scenario> = {
  ...Object.fromEntries(SAMPLES.flatMap(scenariosOf)),

  // Accounts
  'PATCH /api/accounts/{account_id}/': async () => {
    const app = await appWithAccounts();
    const [account] = (await key('GET', `/api/accounts/?app=${app.id}`)).body.results;
    const { external_uuid: user } = await newPerson();
    return () => key('PATCH', `/api/accounts/${account.external_uuid}/`, { user });
  },
  'POST /api/accounts/{account_id}/correlate/': async () => {
    const app = await addSyncedApp(service);
    const { external_uuid: user, email } = await newPerson();
    const task = await made(key('POST', '/api/tasks/', { app: app.id, action: 'create_account', user }));
    await app.sync({ person: [{ id: 'one', email }], bot: [{ id: 'two', email }] });
    const account = task.app_user.external_uuid;
    return () => key('POST', `/api/accounts/${account}/correlate/`, { external_id: 'one' });
  },
  'POST /api/accounts/link/': async () => {
    const app = await appWithAccounts();
    const [account] = (await key('GET', `/api/accounts/?app=${app.id}`)).body.results;
    const { external_uuid: user } = await newPerson();
    return () => key('POST', '/api/accounts/link/', { links: [{ account: account.external_uuid, user }] });
  },
  'POST /api/accounts/{account_id}/dismiss-suggestion/': async () => {
    const app = await appWithAccounts();
    const [account] = (await key('GET', `/api/accounts/?app=${app.id}`)).body.results;
    const { external_uuid: user } = await newPerson();
    return () => key('POST', `/api/accounts/${account.external_uuid}/dismiss-suggestion/`, { user });
  },
  'POST /api/accounts/{account_id}/restore-suggestion/': async () => {
    const app = await appWithAccounts();
    const [account] = (await key('GET', `/api/accounts/?app=${app.id}`)).body.results;
    const { external_uuid: user } = await newPerson();
    const path = `/api/accounts/${account.external_uuid}`;
    expect((await key('POST', `${path}/dismiss-suggestion/`, { user })).status).toBe(204);
    return () => key('POST', `${path}/restore-suggestion/`, { user });
  },

  // API keys
  'POST /api/api-keys/{key_id}/transfer/': async () => {
    const { id } = await made(key('POST', '/api/api-keys/', { name: 'A key' }));
    const { external_uuid: user } = await newPerson();
    return () => owner.call('POST', `/api/api-keys/${id}/transfer/`, { user });
  },

  // Apps
  'POST /api/apps/{app_id}/connector/': async () => {
    const app = await newApp();
    const body = { type: 'scim', settings: { url: 'https://app.example' }, secrets: { token: 'a token' } };
    return () => key('POST', `/api/apps/${app.id}/connector/`, body);
  },
  'PATCH /api/apps/{app_id}/connector/': async () => {
    const path = await connected();
    return () => key('PATCH', path, { paused: false });
  },
  'DELETE /api/apps/{app_id}/connector/': async () => {
    const path = await connected();
    return () => key('DELETE', path);
  },
  'POST /api/apps/{app_id}/connector/run/': async () => {
    const path = await connected();
    return () => key('POST', `${path}run/`, { kind: 'sync' });
  },
  'POST /api/apps/{app_id}/connector/test/': async () => {
    const path = await connected();
    return () => key('POST', `${path}test/`);
  },
  'POST /api/apps/{app_id}/connector/preview/': async () => {
    const path = await connected();
    return () => key('POST', `${path}preview/`);
  },
  'POST /api/apps/{app_id}/connector/runs/{run_id}/cancel/': async () => {
    const path = await connected();
    const { id } = await made(key('POST', `${path}run/`, { kind: 'sync' }));
    return () => key('POST', `${path}runs/${id}/cancel/`);
  },
  'POST /api/apps/{app_id}/disconnect/': async () => {
    const { id } = await newApp();
    return () => key('POST', `/api/apps/${id}/disconnect/`);
  },
  'POST /api/apps/{app_id}/reconnect/': async () => {
    const { id } = await newApp();
    await made(key('POST', `/api/apps/${id}/disconnect/`));
    return () => key('POST', `/api/apps/${id}/reconnect/`);
  },
  'POST /api/v1/bridge/apps/{app_id}/check/': async () => {
    const app = await newApp();
    return () => app.bridge('POST', '/check/', { ok: true, method: 'api' });
  },
  'POST /api/v1/bridge/apps/{app_id}/resource-types/': async () => {
    const app = await newApp();
    return () => app.bridge('POST', '/resource-types/', { slug: 'role', name: 'Role', type: 'group' });
  },
  'PATCH /api/v1/bridge/apps/{app_id}/resource-types/{slug}/': async () => {
    const app = await newApp();
    return () => app.bridge('PATCH', '/resource-types/team/', { name: 'Renamed' });
  },

  // Syncs
  'POST /api/v1/bridge/apps/{app_id}/sync/': async () => {
    const app = await newApp();
    return () => app.bridge('POST', '/sync/');
  },
  'POST /api/v1/bridge/apps/{app_id}/sync/{sync_id}/abandon/': async () => {
    const app = await newApp();
    const session = await app.start();
    return () => app.abandon(session);
  },
  'POST /api/v1/bridge/apps/{app_id}/sync/{sync_id}/complete/': async () => {
    const app = await newApp();
    const session = await app.start();
    return () => app.bridge('POST', `/sync/${session}/complete/`);
  },
  'POST /api/apps/{app_id}/syncs/{sync_id}/approve/': async () => {
    const path = await heldSync();
    return () => key('POST', `${path}/approve/`);
  },
  'POST /api/apps/{app_id}/syncs/{sync_id}/reject/': async () => {
    const path = await heldSync();
    return () => key('POST', `${path}/reject/`);
  },
  'POST /api/apps/{app_id}/syncs/{sync_id}/revert/': async () => {
    const app = await newApp();
    const session = await app.sync({ person: people(1) });
    return () => key('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, {});
  },
  'POST /api/restore/': async () => {
    const app = await newApp();
    await app.sync({ person: people(1) });
    const as_of = new Date().toISOString();
    return () => key('POST', '/api/restore/', { app: app.id, as_of, dry_run: false });
  },

  // Tasks
  'POST /api/tasks/{task_id}/cancel/': async () => {
    const { task } = await newTask();
    return () => key('POST', `/api/tasks/${task}/cancel/`, { reason: 'In a test' });
  },
  'POST /api/tasks/{task_id}/retry/': async () => {
    const { app, task } = await newTask();
    const error = { code: 'PERMISSION_DENIED', message: 'The connector may not do this.' };
    await made(reportOf(app, task, { status: 'failed', error }));
    return () => key('POST', `/api/tasks/${task}/retry/`);
  },
  'POST /api/apps/{app_id}/held-tasks/confirm/': async () => {
    const path = await heldTask();
    return () => key('POST', `${path}/confirm/`);
  },
  'POST /api/apps/{app_id}/held-tasks/reject/': async () => {
    const path = await heldTask();
    return () => key('POST', `${path}/reject/`);
  },
  'POST /api/holds/{hold_id}/confirm/': async () => {
    const hold = await newHold();
    return () => key('POST', `${hold}/confirm/`);
  },
  'POST /api/holds/{hold_id}/discard/': async () => {
    const hold = await newHold();
    return () => key('POST', `${hold}/discard/`, { reason: 'A mistake' });
  },
  'POST /api/findings/{finding_id}/accept/': async () => {
    const finding = await newFinding();
    return () => key('POST', `${finding}/accept/`, acceptance());
  },
  'POST /api/findings/{finding_id}/assign/': async () => {
    const finding = await newFinding();
    const { external_uuid: user } = await newPerson();
    return () => key('POST', `${finding}/assign/`, { user });
  },
  'POST /api/findings/{finding_id}/reopen/': async () => {
    const finding = await newFinding();
    await made(key('POST', `${finding}/accept/`, acceptance()));
    return () => key('POST', `${finding}/reopen/`);
  },
  'PATCH /api/v1/bridge/apps/{app_id}/tasks/{task_id}/status/': async () => {
    const { app, task } = await newTask();
    return () => reportOf(app, task, { status: 'completed' });
  },

  // Requests
  'POST /api/tickets/{ticket_id}/approve/': async () => {
    const path = await newTicket();
    return () => owner.call('POST', `${path}/approve/`, OVERRIDE);
  },
  'POST /api/tickets/{ticket_id}/deny/': async () => {
    const path = await newTicket();
    return () => owner.call('POST', `${path}/deny/`, OVERRIDE);
  },
  'POST /api/tickets/{ticket_id}/cancel/': async () => {
    const path = await newTicket();
    return () => owner.call('POST', `${path}/cancel/`, { comment: 'In a test' });
  },

  'POST /api/tickets/{ticket_id}/reassign/': async () => {
    const path = await newTicket();
    const { external_uuid } = await newPerson();
    return () => key('POST', `${path}/reassign/`, { to: [external_uuid], reason: 'In a test' });
  },
  'POST /api/tickets/{ticket_id}/comments/': async () => {
    const path = await newTicket();
    return () => key('POST', `${path}/comments/`, { comment: 'In a test' });
  },
  'POST /api/tickets/{ticket_id}/request-information/': async () => {
    const path = await newTicket();
    return () => key('POST', `${path}/request-information/`, { comment: 'In a test' });
  },
  'POST /api/tickets/{ticket_id}/provide-information/': async () => {
    const app = await newApp();
    const { person, browser } = await signedIn();
    const body = { app: app.id, user: person.external_uuid, type: 'NEW_ACCESS' };
    const path = `/api/tickets/${(await made(browser.call('POST', '/api/tickets/', body))).external_uuid}`;
    await made(key('POST', `${path}/request-information/`, { comment: 'In a test' }));
    return () => browser.call('POST', `${path}/provide-information/`, { comment: 'In a test' });
  },

  // Fulfillment
  'PUT /api/apps/{app_id}/fulfillment/': async () => {
    const app = await newApp();
    const people = [(await made(key('GET', '/api/me/'))).external_uuid];
    return () => key('PUT', `/api/apps/${app.id}/fulfillment/`, { ...FULFILLMENT, people });
  },
  'POST /api/fulfillment/tasks/{task_id}/complete/': async () => {
    const path = await ownTask();
    return () => key('POST', `${path}/complete/`, { account_id: 'by-hand' });
  },
  'POST /api/fulfillment/tasks/{task_id}/refuse/': async () => {
    const path = await ownTask();
    return () => key('POST', `${path}/refuse/`, { code: 'PERMISSION_DENIED', message: 'In a test' });
  },
  'POST /api/fulfillment/tasks/{task_id}/reassign/': async () => {
    const { external_uuid } = await newPerson();
    const path = await ownTask(external_uuid);
    return () => key('POST', `${path}/reassign/`, { assignee: external_uuid, reason: 'In a test' });
  },
  'POST /api/fulfillment/tasks/{task_id}/attachments/': async () => {
    const path = await ownTask();
    const headers = { 'content-type': 'application/octet-stream' };
    return () => key('POST', `${path}/attachments/?name=a.txt`, 'In a test', { headers });
  },

  // Absences
  'POST /api/users/{user_id}/absences/': async () => {
    const person = await newPerson();
    const body = await newAbsence();
    return () => key('POST', `/api/users/${person.external_uuid}/absences/`, body);
  },
  'PATCH /api/users/{user_id}/absences/{absence_id}/': async () => {
    const path = await absencePath();
    return () => key('PATCH', path, { ends_at: '2099-01-09T00:00:00Z' });
  },
  'DELETE /api/users/{user_id}/absences/{absence_id}/': async () => {
    const path = await absencePath();
    return () => key('DELETE', path);
  },

  // Policies
  'POST /api/webhooks/{webhook_id}/replay/': async () => {
    const { id } = await made(key('POST', '/api/webhooks/', webhook()));
    return () => key('POST', `/api/webhooks/${id}/replay/`, { from: 'end' });
  },
  'POST /api/webhooks/{webhook_id}/skip/': async () => {
    const { id } = await made(key('POST', '/api/webhooks/', webhook()));
    const { results } = await made(key('GET', '/api/events/?limit=1'));
    // As if the receiver had refused the newest event.
    await sql`
      update webhook set filters = '{}', attempts = 1, first_failed_at = clock_now(), next_attempt_at = clock_now() + interval '1 hour',
        position = ${results[0].ingested_at}::timestamptz - interval '1 microsecond'
      where id = ${id}`.execute(service.database.db);
    return () => key('POST', `/api/webhooks/${id}/skip/`, { event_id: results[0].event_id });
  },
  'POST /api/webhooks/{webhook_id}/rotate-secret/': async () => {
    const { id } = await made(key('POST', '/api/webhooks/', webhook()));
    return () => key('POST', `/api/webhooks/${id}/rotate-secret/`, {});
  },
  'POST /api/policies/{policy_id}/confirm/': async () => {
    const path = await heldPolicy();
    return () => key('POST', `${path}/confirm/`);
  },
  'POST /api/policies/{policy_id}/discard/': async () => {
    const path = await heldPolicy();
    return () => key('POST', `${path}/discard/`);
  },
  'PATCH /api/policies/settings/': async () => {
    const { task_limit } = (await key('GET', '/api/policies/settings/')).body;
    return () => key('PATCH', '/api/policies/settings/', { task_limit: task_limit + 1 });
  },

  // Access reviews
  'POST /api/reviews/{review_id}/start/': async () => {
    const app = await appWithAccounts();
    const path = await newCampaign({ scope: { apps: [app.id] } });
    return () => key('POST', `${path}/start/`);
  },
  'POST /api/reviews/cycles/{cycle_id}/decisions/': async () => {
    const app = await appWithAccounts();
    const path = await newCampaign({ scope: { apps: [app.id] } });
    const { external_uuid } = await made(key('POST', `${path}/start/`));
    const cycle = `/api/reviews/cycles/${external_uuid}`;
    const [item] = (await key('GET', `${cycle}/items/`)).body.results;
    return () => key('POST', `${cycle}/decisions/`, { items: [item.id], decision: 'keep' });
  },
  'POST /api/reviews/cycles/{cycle_id}/reviewers/{user_id}/remind/': async () => {
    const app = await appWithAccounts();
    const { external_uuid: reviewer } = await newPerson();
    const path = await newCampaign({ scope: { apps: [app.id] }, reviewer: [reviewer] });
    const { external_uuid } = await made(key('POST', `${path}/start/`));
    return () => key('POST', `/api/reviews/cycles/${external_uuid}/reviewers/${reviewer}/remind/`);
  },
  'POST /api/reviews/cycles/{cycle_id}/items/reassign/': async () => {
    const app = await appWithAccounts();
    const path = await newCampaign({ scope: { apps: [app.id] } });
    const cycle = `/api/reviews/cycles/${(await made(key('POST', `${path}/start/`))).external_uuid}`;
    const [item] = (await key('GET', `${cycle}/items/`)).body.results;
    const { external_uuid } = await newPerson();
    const body = { items: [item.id], to: [external_uuid], reason: 'In a test' };
    return () => key('POST', `${cycle}/items/reassign/`, body);
  },

  // People
  'POST /api/users/{user_id}/deactivate/': async () => {
    const { external_uuid } = await newPerson();
    return () => key('POST', `/api/users/${external_uuid}/deactivate/`);
  },
  'POST /api/users/{user_id}/reactivate/': async () => {
    const { external_uuid } = await newPerson();
    await made(key('POST', `/api/users/${external_uuid}/deactivate/`));
    return () => key('POST', `/api/users/${external_uuid}/reactivate/`);
  },
  'POST /api/users/{user_id}/offboard/': async () => {
    const { external_uuid } = await newPerson();
    const body = { dry_run: false, reason: 'In a test' };
    return () => key('POST', `/api/users/${external_uuid}/offboard/`, body);
  },
  'POST /api/users/{user_id}/merge/': async () => {
    const [into, from] = [await newPerson(), await newPerson()];
    return () => key('POST', `/api/users/${into.external_uuid}/merge/`, { from: from.external_uuid });
  },
  'POST /api/users/duplicates/dismissed/': async () => {
    const users = [(await newPerson()).external_uuid, (await newPerson()).external_uuid];
    return () => key('POST', '/api/users/duplicates/dismissed/', { users });
  },
  'DELETE /api/users/duplicates/dismissed/{user_id}/{other_id}/': async () => {
    const users = [(await newPerson()).external_uuid, (await newPerson()).external_uuid];
    await made(key('POST', '/api/users/duplicates/dismissed/', { users }));
    return () => key('DELETE', `/api/users/duplicates/dismissed/${users.join('/')}/`);
  },
  'POST /api/users/import/': async () => {
    const { email } = await newPerson();
    const headers = { 'content-type': 'text/csv' };
    return () => key('POST', '/api/users/import/', `email\n${email}\n`, { headers });
  },

  // Spreadsheets
  'POST /api/apps/{app_id}/uploads/': async () => {
    const app = await newApp();
    return () => key('POST', `/api/apps/${app.id}/uploads/?file_name=a.csv`, 'id,email\n1,a@x.example');
  },
  'POST /api/apps/{app_id}/uploads/{upload_id}/apply/': async () => {
    const app = await newApp();
    const path = await newUpload(`/api/apps/${app.id}/uploads/`);
    const { suggestion: mapping } = await made(key('GET', path));
    await made(key('POST', `${path}check/`, { mapping }));
    await expect.poll(async () => (await key('GET', path)).body.status, { timeout: 20_000 }).toBe('planned');
    return () => key('POST', `${path}apply/`);
  },
  'DELETE /api/apps/{app_id}/uploads/{upload_id}/': async () => {
    const path = await newUpload(`/api/apps/${(await newApp()).id}/uploads/`);
    return () => key('DELETE', path);
  },
  'POST /api/users/uploads/': async () => () =>
    key('POST', '/api/users/uploads/?file_name=a.csv', `email\n${fresh('person')}@x.example`),
  'POST /api/users/uploads/{people_upload_id}/apply/': async () => {
    const path = await newUpload('/api/users/uploads/');
    await made(key('POST', `${path}check/`, { mapping: { columns: [{ column: 'email', field: 'email' }] } }));
    return () => key('POST', `${path}apply/`);
  },
  'DELETE /api/users/uploads/{people_upload_id}/': async () => {
    const path = await newUpload('/api/users/uploads/');
    return () => key('DELETE', path);
  },

  // Notifications
  'POST /api/scim-clients/{key_id}/release/': async () => {
    await scimUser();
    const { results } = await made(owner.call('GET', '/api/scim-clients/'));
    const { id } = results.find(({ people: count }: { people: number }) => count > 0).key;
    return () => owner.call('POST', `/api/scim-clients/${id}/release/`, {});
  },
  'POST /api/users/{user_id}/release/': async () => {
    const { id } = await scimUser();
    return () => owner.call('POST', `/api/users/${id}/release/`);
  },
  'PUT /api/person-groups/{group_id}/role/': async () => {
    const { id } = await scimGroup();
    return () => owner.call('PUT', `/api/person-groups/${id}/role/`, { role: 'auditor' });
  },
  'DELETE /api/person-groups/{group_id}/': async () => {
    const { id } = await scimGroup();
    return () => owner.call('DELETE', `/api/person-groups/${id}/`);
  },

  // SCIM
  'POST /scim/v2/Users': async () => () => scim('POST', '/Users', newUser()),
  'PUT /scim/v2/Users/{id}': async () => {
    const { id } = await scimUser();
    return () => scim('PUT', `/Users/${id}`, newUser());
  },
  'PATCH /scim/v2/Users/{id}': async () => {
    const { id } = await scimUser();
    return () => scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'title', value: 'Clerk' }));
  },
  'DELETE /scim/v2/Users/{id}': async () => {
    const { id } = await scimUser();
    return () => scim('DELETE', `/Users/${id}`);
  },
  'POST /scim/v2/Groups': async () => () => scim('POST', '/Groups', { displayName: fresh('Group') }),
  'PUT /scim/v2/Groups/{id}': async () => {
    const { id } = await scimGroup();
    return () => scim('PUT', `/Groups/${id}`, { displayName: fresh('Group') });
  },
  'PATCH /scim/v2/Groups/{id}': async () => {
    const [{ id }, member] = [await scimGroup(), await scimUser()];
    const operation = { op: 'add', path: 'members', value: [{ value: member.id }] };
    return () => scim('PATCH', `/Groups/${id}`, patchOf(operation));
  },
  'DELETE /scim/v2/Groups/{id}': async () => {
    const { id } = await scimGroup();
    return () => scim('DELETE', `/Groups/${id}`);
  },
  'POST /scim/v2/Bulk': async () => {
    const operation = { method: 'POST', path: '/Users', bulkId: 'one', data: newUser() };
    return () => scim('POST', '/Bulk', { Operations: [operation] });
  },

  // The sign-in of other people
  'POST /api/users/{user_id}/sign-in-link/email/': async () => {
    const { external_uuid } = await newPerson();
    return () => owner.call('POST', `/api/users/${external_uuid}/sign-in-link/email/`);
  },
  'DELETE /api/users/{user_id}/passkeys/{passkey_id}/': async () => {
    const { person, id } = await withPasskey();
    return () => owner.call('DELETE', `/api/users/${person.external_uuid}/passkeys/${id}/`);
  },
  'DELETE /api/users/{user_id}/provider-links/{link_id}/': async () => {
    const { person, id } = await withProviderLink();
    return () => owner.call('DELETE', `/api/users/${person.external_uuid}/provider-links/${id}/`);
  },
  'POST /api/users/{user_id}/sign-out/': async () => {
    const { person } = await signedIn();
    return () => owner.call('POST', `/api/users/${person.external_uuid}/sign-out/`);
  },
  'DELETE /api/users/{user_id}/second-factor/': async () => {
    const { person } = await withSecondFactor();
    return () => owner.call('DELETE', `/api/users/${person.external_uuid}/second-factor/`);
  },
  'PATCH /api/organization/': async () => () =>
    owner.call('PATCH', '/api/organization/', { name: 'Renamed' }),
  'DELETE /api/organization/sample/': async () => {
    await sql`update organization set sample = ${JSON.stringify(SAMPLE_COMPANY)}::jsonb
      where id = ${service.orgId}`.execute(service.database.db);
    return () => owner.call('DELETE', '/api/organization/sample/');
  },

  // One's own sign-in
  'POST /auth/sign-in/': async () => {
    const { person } = await signedIn();
    return () =>
      openBrowser(service).call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD });
  },
  'POST /auth/sign-out/': async () => {
    const { browser } = await signedIn();
    return () => browser.call('POST', '/auth/sign-out/');
  },
  'DELETE /auth/sessions/{session_id}/': async () => {
    const { person, browser } = await signedIn();
    const other = openBrowser(service);
    await made(other.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD }));
    const { results } = (await browser.call('GET', '/auth/sessions/')).body;
    const { id } = results.find(({ current }: { current: boolean }) => !current);
    return () => browser.call('DELETE', `/auth/sessions/${id}/`);
  },
  'POST /auth/password/': async () => {
    const { browser } = await signedIn();
    const body = { current_password: PASSWORD, new_password: 'another horse with a better staple' };
    return () => browser.call('POST', '/auth/password/', body);
  },
  'POST /auth/welcome/': async () => {
    const token = await linkFor(await newPerson());
    return () => openBrowser(service).call('POST', '/auth/welcome/', { token, new_password: PASSWORD });
  },
  'POST /auth/totp/verify/': async () => {
    const { browser } = await signedIn();
    const { uri } = await made(browser.call('POST', '/auth/totp/', { password: PASSWORD }));
    return () => browser.call('POST', '/auth/totp/verify/', { code: codeOf(uri) });
  },
  'DELETE /auth/totp/': async () => {
    const { browser } = await withSecondFactor();
    return () => browser.call('DELETE', '/auth/totp/', { password: PASSWORD });
  },
  'POST /auth/second-factor/': async () => {
    const { person, backupCode } = await withSecondFactor();
    const browser = openBrowser(service);
    await made(browser.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD }));
    return () => browser.call('POST', '/auth/second-factor/', { code: backupCode, kind: 'backup_code' });
  },
  'POST /auth/passkeys/': async () => {
    const { browser } = await signedIn();
    const options = await made(browser.call('POST', '/auth/passkeys/options/'));
    const body = { name: 'Laptop', response: device().create(options) };
    return () => browser.call('POST', '/auth/passkeys/', body);
  },
  'DELETE /auth/passkeys/{passkey_id}/': async () => {
    const { browser, id } = await withPasskey();
    return () => browser.call('DELETE', `/auth/passkeys/${id}/`);
  },
  'DELETE /auth/provider-links/{link_id}/': async () => {
    const { browser, id } = await withProviderLink();
    return () => browser.call('DELETE', `/auth/provider-links/${id}/`);
  },
  'POST /auth/passkey-sign-in/': async () => {
    const { authenticator } = await withPasskey();
    const browser = openBrowser(service);
    const options = await made(browser.call('POST', '/auth/passkey-sign-in/options/'));
    const response = authenticator.get(options);
    return () => browser.call('POST', '/auth/passkey-sign-in/', { response });
  },
  'POST /auth/sso/saml2/sp/acs/{provider}': async () => {
    const { saml, id } = await addedProvider();
    const { email } = await newPerson();
    const browser = openBrowser(service);
    const { url } = await made(browser.call('POST', '/auth/sso/', { provider: id }));
    const metadata = (await key('GET', `/auth/sso/saml/${id}/metadata/`, undefined, { key: null })).body;
    const form = new URLSearchParams(await saml.respond(url, metadata, email)).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' };
    return () => browser.call('POST', `/auth/sso/saml2/sp/acs/${id}`, form, { headers });
  },
  'POST /auth/waiting/': async () => {
    const { saml, id } = await addedProvider();
    const { email } = await newPerson();
    const { browser } = await signedIn();
    const { url } = await made(browser.call('POST', '/auth/sso/', { provider: id }));
    const metadata = (await key('GET', `/auth/sso/saml/${id}/metadata/`, undefined, { key: null })).body;
    const form = new URLSearchParams(await saml.respond(url, metadata, email)).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' };
    await browser.call('POST', `/auth/sso/saml2/sp/acs/${id}`, form, { headers });
    return () => browser.call('POST', '/auth/waiting/');
  },
};

const CHANGING = ['post', 'put', 'patch', 'delete'];

/** Returns all operations that can change something, those for signing in included. */
async function changingOperations(): Promise<string[]> {
  const { paths } = (await service.app.http.inject('/openapi.json')).json<{
    paths: Record<string, object>;
  }>();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => CHANGING.includes(method))
      .map((method) => `${method.toUpperCase()} ${path.replace('/org/{org}', '')}`),
  );
}

/** Returns the types of the events that `work` leaves, except for the use of the key itself. */
async function eventsDuring(work: () => Promise<void>): Promise<string[]> {
  const read = async (query: string) => (await key('GET', `/api/events/?${query}`)).body;
  const { previous_cursor } = await read('catalog=all&limit=1');
  await work();
  const since = async () =>
    ((await read(`cursor=${previous_cursor}&limit=200`)).results as Envelope[])
      .map(({ event_type }) => event_type)
      .filter((type) => type !== 'api_key.used');
  // A job records some events soon after the response.
  return until('an event', since, (types) => types.length > 0, { everyMs: 40 });
}

test('has a scenario or a reason for every operation that can change something', async () => {
  const operations = await changingOperations();
  const known = [...Object.keys(SCENARIOS), ...Object.keys(EXCEPTIONS)];

  expect(operations.length).toBeGreaterThan(60);
  expect(operations.filter((operation) => !known.includes(operation))).toEqual([]);
  expect(known.filter((operation) => !operations.includes(operation))).toEqual([]);
});

test.each(Object.keys(SCENARIOS))('%s leaves an event', async (operation) => {
  const call = await (SCENARIOS[operation] as Scenario)();
  let answer: Answer | undefined;
  const types = await eventsDuring(async () => {
    answer = await call();
  });

  expect(answer?.status, JSON.stringify(answer?.body)).toSatisfy(
    (status: number) => status < 300 || status === 303,
  );
  expect(types).not.toEqual([]);
});

test('dry runs leave no event', async () => {
  const app = await newApp();
  await app.sync({ person: people(1) });
  const as_of = new Date().toISOString();
  const [left, into, from] = [await newPerson(), await newPerson(), await newPerson()];
  await made(key('POST', `/api/users/${left.external_uuid}/deactivate/`));
  const { previous_cursor } = (await key('GET', '/api/events/?catalog=all&limit=1')).body;

  await made(key('POST', '/api/restore/', { app: app.id, as_of, include_decided: true }));
  await made(key('POST', `/api/users/${left.external_uuid}/reactivate/?dry_run=true`));
  const merge = { from: from.external_uuid };
  await made(key('POST', `/api/users/${into.external_uuid}/merge/?dry_run=true`, merge));
  const since = (await key('GET', `/api/events/?cursor=${previous_cursor}&limit=200`)).body.results;
  // Jobs may still record what earlier tests did, and findings about the app and its people.
  const about = [app.id, ...[left, into, from].map(({ external_uuid }) => external_uuid)];
  const own = since.filter(
    (one: Envelope) =>
      !one.event_type.startsWith('finding.') && about.some((id) => JSON.stringify(one).includes(id)),
  );
  expect(own.map(({ event_type }: Envelope) => event_type)).toEqual([]);
});
