// @module-tag engine
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../app.ts';
import { type Call, furnish } from '../furnish.ts';
import { fill, type Operation, operationsOf } from '../operations.ts';
import { addOrganization } from '../people.ts';
import { type Ids, SAMPLES, type Sample } from '../samples.ts';
import { signInOwner } from '../sign-in.ts';

/** Two organizations, each with one of everything, named after them. */
const OURS = 'aardvark';
const THEIRS = 'zebra';
let service: TestApp;
let operations: Operation[];
let ours: { call: Call; asOwner: Call; ids: Ids };
let theirs: typeof ours;

beforeAll(async () => {
  service = await openTestApp({ jobs: true, own: true });
  operations = await operationsOf(service);
  const furnished = async (org: string) => {
    const call = await addOrganization(service, org);
    const asOwner = (await signInOwner(service, org)).call;
    return { call, asOwner, ids: await furnish(call, asOwner, org) };
  };
  ours = await furnished(OURS);
  theirs = await furnished(THEIRS);
});
afterAll(() => service.close());

/** The address with our ids, and with theirs for the parameters `foreign`. */
const address = (path: string, foreign: string[]) =>
  fill(path, (name) => {
    const id = (foreign.includes(name) ? theirs : ours).ids[name];
    if (id === undefined) throw new Error(`Add a value for {${name}} of ${path} to furnish().`);
    return id;
  });

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
/** Each id of an address alone, and all together, as parameters to take from them. A slug is not an id. */
const mixtures = (path: string) => {
  const ids = parametersOf(path).filter((name) => name !== 'slug');
  return [...ids.map((name) => [name]), ...(ids.length > 1 ? [ids] : [])];
};
/** Those that an API key can call: the others have no ids in their addresses. */
const gets = () => operations.filter(({ method, needsSession }) => method === 'GET' && !needsSession);

/** Everything that an organization can read about itself, except for records that reading changes and the time of reading. */
async function everything({ call }: typeof ours, own: (path: string) => string) {
  const all: Record<string, unknown> = {};
  for (const { path } of gets().filter(
    (one) => !/\/(events|api-keys|evidence|license-trend)\//.test(one.path),
  )) {
    const { planned_at, from, to, as_of, known_at, ...body } = (await call('GET', own(path))).body;
    all[path] = JSON.parse(JSON.stringify(body, withoutTurn));
  }
  return all;
}
/** Leaves out when a task that waits may have its turn: always a little ahead (D28). */
const withoutTurn = (name: string, value: unknown) => (name === 'execute_after' ? undefined : value);
const their = (path: string) => address(path, parametersOf(path));

/** The thing that each filter names. A new filter by an id needs an entry. */
const ID_IN_FILTER: Record<string, string> = {
  account: 'account_id',
  actor_uuid: 'user_id',
  app: 'app_id',
  assignee: 'user_id',
  attempts_of: 'task_id',
  channel: 'channel_id',
  client: 'key_id',
  event_id: 'external_uuid',
  hold: 'hold_id',
  manager: 'user_id',
  owner: 'user_id',
  requester: 'user_id',
  resource_id: 'resource_id',
  reviewer: 'user_id',
  run_id: 'run_id',
  source: 'ticket_id',
  subject: 'user_id',
  subject_uuid: 'user_id',
  user: 'user_id',
};

/** Whether what a request creates names this id. */
const usesId = (create: Sample['create'], id: string) =>
  JSON.stringify(create({ [id]: id }, '')).includes(id);

test('lets both organizations read their own records', async () => {
  for (const { path } of gets()) {
    for (const [{ call }, own] of [
      [ours, address(path, [])],
      [theirs, their(path)],
    ] as const) {
      const answer = await call('GET', own);
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
    }
  }
});

test('returns 404 for records of another organization, and reveals nothing about them', async () => {
  let asked = 0;
  for (const { path } of gets()) {
    for (const foreign of mixtures(path)) {
      const answer = await ours.call('GET', address(path, foreign));
      const label = `${path} with their ${foreign.join(', ')}`;
      expect(answer.status, label).toBe(404);
      expect(JSON.stringify(answer.body), label).not.toContain(THEIRS);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(15);
});

test('returns 404 for changes to records of another organization, and changes nothing', async () => {
  const before = await everything(theirs, their);

  for (const { method, path, needsSession } of operations.filter((one) => one.method !== 'GET')) {
    const call = needsSession ? ours.asOwner : ours.call;
    for (const foreign of mixtures(path)) {
      for (const body of [
        undefined,
        {},
        { name: 'X', status: 'completed', decision: 'revoke', records: [] },
      ]) {
        const answer = await call(method, address(path, foreign), body);
        expect(answer.status, `${method} ${path} with their ${foreign.join(', ')}`).toBe(404);
      }
    }
  }

  expect(await everything(theirs, their)).toEqual(before);
});

test('shows nothing of another organization in any list or view', async () => {
  const foreignIds = Object.values(theirs.ids);
  for (const { path } of gets()) {
    const told = JSON.stringify((await ours.call('GET', address(path, []))).body);
    for (const id of foreignIds) expect(told, path).not.toContain(id);
  }
});

describe('an id of another organization', () => {
  const idOf = (name: string) => theirs.ids[name] ?? '';

  test('matches nothing in a filter', async () => {
    // The log takes any text, and `after` needs as_of.
    const others: [string, string][] = [
      ['/api/events/', 'subject_uuid'],
      ['/api/events/', 'actor_uuid'],
    ];
    const declared = gets().flatMap(({ path, idFilters }) =>
      idFilters.filter((name) => name !== 'after').map((name): [string, string] => [path, name]),
    );
    expect(declared.length).toBeGreaterThan(30);
    for (const [path, name] of [...declared, ...others]) {
      const id = ID_IN_FILTER[name];
      if (id === undefined) throw new Error(`ID_IN_FILTER lacks the filter ${name} of ${path}.`);
      const { status, body } = await ours.call('GET', `${address(path, [])}?${name}=${idOf(id)}`);
      const label = `${path}?${name}= ${JSON.stringify(body)}`;
      expect([200, 404], label).toContain(status);
      expect(JSON.stringify(body), label).not.toContain(THEIRS);
      const { results = [], count = 0 } = status === 200 ? body : {};
      expect({ results, count }, label).toEqual({ results: [], count: 0 });
    }
  });

  test('is not found in what a request creates', async () => {
    for (const { at, create, byOwner } of SAMPLES) {
      const caller = byOwner ? ours.asOwner : ours.call;
      const named = ['app_id', 'user_id', 'other_id'].filter((id) => usesId(create, id));
      for (const id of named) {
        const body = create({ ...ours.ids, [id]: idOf(id) }, `foreign-${id.replace('_', '-')}`);
        expect(await caller('POST', at, body), `${at} ${JSON.stringify(body)}`).toMatchObject({
          status: 404,
        });
      }
    }
  });

  test('is not found in other bodies or as the person of a view', async () => {
    const own = (name: string) => ours.ids[name] ?? '';
    const bodies: [string, string, object?][] = [
      ['GET', `/api/catalog/?user=${idOf('user_id')}`],
      ['POST', '/api/users/duplicates/dismissed/', { users: [own('user_id'), idOf('user_id')] }],
      ['PATCH', `/api/users/${own('user_id')}/`, { manager: idOf('user_id') }],
      ['PATCH', `/api/accounts/${own('account_id')}/`, { user: idOf('user_id') }],
      ['PATCH', `/api/apps/${own('app_id')}/`, { owner: idOf('user_id') }],
      ['PATCH', `/api/apps/${own('app_id')}/`, { fallback_approvers: [idOf('user_id')] }],
      ['PATCH', `/api/apps/${own('app_id')}/`, { approval_steps: [{ approvers: [idOf('user_id')] }] }],
      ['POST', `/api/findings/${own('finding_id')}/assign/`, { user: idOf('user_id') }],
      ['POST', '/api/tasks/', { app: own('app_id'), action: 'delete_account', account: idOf('account_id') }],
      ['POST', '/api/reviews/preview/', { scope: { apps: [idOf('app_id')] } }],
      ['POST', '/api/reviews/preview/', { reviewer: [idOf('user_id')] }],
      ['POST', '/api/reviews/preview/', { fallback_reviewers: [idOf('user_id')] }],
    ];
    for (const [method, path, body] of bodies) {
      expect(await ours.call(method, path, body), `${method} ${path} ${JSON.stringify(body)}`).toMatchObject({
        status: 404,
      });
    }
  });

  test('is not among what a restore can bring back', async () => {
    const restore = (more: object) =>
      ours.call('POST', '/api/restore/', { app: ours.ids.app_id, as_of: new Date().toISOString(), ...more });
    const [account, decision] = [idOf('account_id'), idOf('policy_id')];
    for (const more of [
      { items: [{ account, slug: null, resource: null }] },
      { items: [{ account, slug: THEIRS, resource: THEIRS }] },
      { include_decided: [decision] },
    ])
      expect(await restore(more), JSON.stringify(more)).toMatchObject({ status: 422 });
    for (const scope of [{ accounts: [account] }, { users: [idOf('user_id')] }, { app: idOf('app_id') }])
      expect(await restore({ app: undefined, ...scope }), JSON.stringify(scope)).toMatchObject({
        status: 404,
      });
  });

  test('is not a policy that others contradict', async () => {
    const effects = [{ do: 'revoke', app: ours.ids.app_id }];
    const asked = { condition: 'true', trigger: 'daily', effects, policy: idOf('policy_id') };
    const { status, body } = await ours.call('POST', '/api/policies/matches/', asked);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(JSON.stringify(body)).not.toContain(THEIRS);
    expect(JSON.stringify(body)).not.toContain(idOf('policy_id'));
  });
});
