import { randomUUID } from 'node:crypto';
import type { Answer } from './app.ts';
import { type Ids, idOf, SAMPLES } from './samples.ts';

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  options?: { key?: string; headers?: Record<string, string> },
) => Promise<Answer>;

/**
 * Creates one of everything that an address can name. Each thing has `name` in its own name. `asOwner` calls with the
 * session of an owner. Without `jobs`, nothing that needs a running job queue is created.
 */
export async function furnish(
  call: Call,
  asOwner: Call,
  name: string,
  { jobs = true }: { jobs?: boolean } = {},
): Promise<Ids> {
  const made = async (path: string, body?: unknown, by = call) => {
    const answer = await by('POST', path, body);
    if (answer.status > 299) throw new Error(`${path} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const first = async (path: string) => (await call('GET', path)).body.results[0];
  const app_id = (await made('/api/v1/bridge/apps/', { name })).id;
  const bridge = `/api/v1/bridge/apps/${app_id}`;
  await made(`${bridge}/resource-types/`, { slug: 'user', name, type: 'account' });
  await made(`${bridge}/resource-types/`, { slug: name, name, type: 'group' });
  const { sync_id } = await made(`${bridge}/sync/`);
  const memberships = { [name]: [{ id: name, name }] };
  const records = [
    { id: 'u', email: `u@${name}.example`, memberships },
    { id: 's', email: `s@${name}.example`, status: 'suspended' },
  ];
  await call('PUT', `${bridge}/sync/${sync_id}/user/`, { records });
  await call('POST', `${bridge}/sync/${sync_id}/abandon/`);
  const user_id = (await made('/api/users/', { email: `person@${name}.example` })).external_uuid;
  await made('/api/connection-requests/', { app_name: name, reason: name });
  const access = { app: app_id, user: user_id, memberships: { [name]: [name] } };
  const task_id = (await made('/api/tasks/', { ...access, action: 'create_account', reason: name }))
    .external_uuid;
  const attachment_id = jobs ? await attach(call, app_id, task_id, name) : randomUUID();
  const second = (await made('/api/users/', { email: `second@${name}.example` })).external_uuid;
  await made('/api/users/duplicates/dismissed/', { users: [user_id, second] });
  const manager = (await call('GET', '/api/me/')).body.external_uuid;
  const report_id = (await made('/api/users/', { email: `report@${name}.example`, manager })).external_uuid;
  const ticket = { ...access, user: second, type: 'NEW_ACCESS', initial_comment: name };
  const ticket_id = (await made('/api/tickets/', ticket)).external_uuid;
  const absence = { deputy: second, starts_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-08T00:00:00Z' };
  const absence_id = (await made(`/api/users/${user_id}/absences/`, absence)).external_uuid;
  const { key } = await made('/api/api-keys/', { name, scopes: ['scim'] }, asOwner);
  const group = await call(
    'POST',
    '/scim/v2/Groups',
    { displayName: name, members: [{ value: user_id }] },
    { key },
  );
  const upload = (path: string) => made(`${path}?file_name=${name}.csv`, 'id,email\n1,a@x.example');
  const connector = {
    type: 'scim',
    settings: { url: `https://${name}.example` },
    secrets: { token: name },
    paused: true,
  };
  await made(`/api/apps/${app_id}/connector/`, connector);
  const ids: Ids = { app_id, user_id, other_id: second };
  for (const { at, one, create, byOwner } of SAMPLES) {
    const id = one?.match(/\{(\w+)\}\/$/)?.[1];
    if (id === undefined || id in ids) continue;
    ids[id] = idOf(await made(at, create(ids, name), byOwner ? asOwner : call));
  }
  const { review_id, policy_id } = ids;
  const cycle_id = (await made(`/api/reviews/${review_id}/start/`)).external_uuid;
  return {
    ...ids,
    sync_id,
    slug: name,
    report_id,
    group_id: group.body.id,
    // Adding a passkey takes a browser, and a provider link a provider. No organization has these.
    passkey_id: randomUUID(),
    link_id: randomUUID(),
    absence_id,
    task_id,
    attachment_id,
    ticket_id,
    cycle_id,
    item_id: (await first(`/api/reviews/cycles/${cycle_id}/items/`))?.id ?? randomUUID(),
    upload_id: (await upload(`/api/apps/${app_id}/uploads/`)).upload_id,
    people_upload_id: (await upload('/api/users/uploads/')).upload_id,
    plan_id: jobs ? (await made(`/api/policies/${policy_id}/plans/`)).plan_id : randomUUID(),
    account_id: (await first('/api/accounts/?status=ACTIVE')).external_uuid,
    suspension_id: (await first('/api/suspensions/')).external_uuid,
    grant_id: (await first('/api/grants/')).external_uuid,
    resource_id: (await first(`/api/apps/${app_id}/resources/`)).external_uuid,
    run_id: (await made(`/api/apps/${app_id}/connector/run/`, { kind: 'sync' })).id,
    finding_id: jobs ? await finding(call, name) : randomUUID(),
    hold_id: await hold(call, app_id),
    external_uuid: (await first('/api/events/')).event_id,
  };
}

/** Makes a leaver with an account, and waits for the finding about it. Returns its id. */
async function finding(call: Call, name: string): Promise<string> {
  const { external_uuid: user } = (await call('POST', '/api/users/', { email: `leaver@${name}.example` }))
    .body;
  const account = (await call('GET', '/api/accounts/?status=SUSPENDED')).body.results[0].external_uuid;
  await call('PATCH', `/api/accounts/${account}/`, { user });
  await call('POST', `/api/users/${user}/deactivate/`);
  for (let left = 300; left > 0; left--) {
    const { results } = (await call('GET', `/api/findings/?subject=${user}`)).body;
    if (results.length > 0) return results[0].external_uuid;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No finding about ${user} was opened.`);
}

/** Makes a task that exceeds the daily budget of its app. Returns the hold. */
async function hold(call: Call, app: string): Promise<string> {
  await call('PATCH', `/api/apps/${app}/`, { removal_guard: { percent: 1, at_least: 1 } });
  const account = (await call('GET', `/api/accounts/?app=${app}&status=ACTIVE`)).body.results[0]
    .external_uuid;
  await call('POST', '/api/tasks/', { app, account, action: 'delete_account' });
  return (await call('GET', '/api/holds/')).body.results[0].external_uuid;
}

/** Makes the caller fulfill the app, waits until the task is theirs, and attaches a file. Returns its id. */
async function attach(call: Call, appId: string, taskId: string, name: string): Promise<string> {
  const settings = {
    enabled: true,
    assignment: 'round_robin',
    people: [(await call('GET', '/api/me/')).body.external_uuid],
    groups: [],
    instructions: { create_account: name },
    due_in_working_days: {},
    remind_before_working_days: 1,
    escalate_after_working_days: null,
  };
  await call('PUT', `/api/apps/${appId}/fulfillment/`, settings);
  const path = `/api/fulfillment/tasks/${taskId}/`;
  for (let left = 300; (await call('GET', path)).status !== 200; left--) {
    if (left === 0) throw new Error(`The task ${taskId} was not assigned.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const headers = { 'content-type': 'application/octet-stream' };
  const { status, body } = await call('POST', `${path}attachments/?name=${name}`, name, { headers });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.external_uuid;
}
