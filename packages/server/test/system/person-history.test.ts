import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { momentBetween } from '../moments.ts';
import { settle } from '../policies.ts';
import { openRequestsTest, type RequestsTest } from '../requests.ts';

/**
 * The story of one person, through the API only: she joins, moves to another department and manager, leaves and returns,
 * while syncs, a request, a policy and a review change her access. Afterwards, the API returns each chapter as it was.
 */

const EMAIL = 'joan@acme.example';
const JOAN = { id: 'joan', email: EMAIL, username: 'joan' };
const holding = (teams: string[], seats: string[] = []) => ({
  ...JOAN,
  memberships: { team: teams.map((id) => ({ id })) },
  assignments: { seat: seats.map((id) => ({ id })) },
});

type Chapter =
  | 'joining'
  | 'the first sync'
  | 'the request'
  | 'the move'
  | 'the review'
  | 'leaving'
  | 'the removal'
  | 'the rehire'
  | 'the last sync';

let service: RequestsTest;
let joan: string;
const managers = { first: '', second: '' };
const times = {} as Record<'before' | Chapter, string>;

const now = () => momentBetween(service.database.db);

// biome-ignore lint/suspicious/noExplicitAny: each step expects a body of its own.
async function send(method: string, path: string, body?: object): Promise<any> {
  const answer = await service.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function finish() {
  await settle(service.database.db);
  await service.work();
}

beforeAll(async () => {
  service = await openRequestsTest();
  managers.first = service.grace.id;
  managers.second = service.owen.id;
  for (const policy of [
    {
      name: 'Sales',
      trigger: 'user.updated',
      condition: 'user.attributes.department == "Sales"',
      effects: [{ do: 'grant', app: service.appId, memberships: { team: ['red'] } }],
    },
    {
      name: 'Leavers',
      trigger: 'user.deactivated',
      condition: 'true',
      effects: [{ do: 'suspend', app: 'all' }],
    },
  ])
    await send('POST', '/api/policies/', policy);
});
afterAll(() => service.close());

let told: Promise<void> | undefined;
// Each test reads the whole story, whichever runs first.
beforeEach(() => {
  told ??= live();
  return told;
}, 240_000);

test('Joan joins, moves, leaves and returns', () => {
  expect(Object.keys(times)).toHaveLength(10);
});

async function live() {
  times.before = await now();

  joan = (
    await send('POST', '/api/users/', {
      email: EMAIL,
      manager: managers.first,
      attributes: { department: 'Payroll' },
    })
  ).external_uuid;
  await finish();
  times.joining = await now();

  await service.sync([holding(['blue'])]);
  times['the first sync'] = await now();

  await service.approved(
    { user: joan, type: 'MODIFY_ACCESS', assignments: { seat: ['gold'] } },
    service.grace,
  );
  await finish();
  times['the request'] = await now();

  await send('PATCH', `/api/users/${joan}/`, {
    manager: managers.second,
    attributes: { department: 'Sales' },
  });
  await finish();
  times['the move'] = await now();

  const campaign = await send('POST', '/api/reviews/', { name: 'Yearly', cooling_off_hours: 0 });
  const cycle = await send('POST', `/api/reviews/${campaign.external_uuid}/start/`);
  const { results } = await send('GET', `/api/reviews/cycles/${cycle.external_uuid}/items/?limit=200`);
  const items = (decision: 'keep' | 'revoke') =>
    results
      .filter(
        (item: { resource: { id: string } | null }) =>
          (item.resource?.id === 'blue') === (decision === 'revoke'),
      )
      .map(({ id }: { id: string }) => id);
  for (const decision of ['revoke', 'keep'] as const)
    await send('POST', `/api/reviews/cycles/${cycle.external_uuid}/decisions/`, {
      items: items(decision),
      decision,
    });
  await finish();
  times['the review'] = await now();

  await send('POST', `/api/users/${joan}/deactivate/`, { reason: 'Left' });
  await finish();
  times.leaving = await now();

  await service.sync([{ id: 'other', email: 'other@elsewhere.example' }]);
  times['the removal'] = await now();

  await send('PATCH', `/api/users/${joan}/`, {
    status: 'active',
    manager: managers.first,
    attributes: { department: 'Payroll' },
  });
  await finish();
  times['the rehire'] = await now();

  await service.sync([{ id: 'other', email: 'other@elsewhere.example' }, holding(['blue'])]);
  times['the last sync'] = await now();
}

test.each<[Chapter, string, 'first' | 'second', string]>([
  ['joining', 'active', 'first', 'Payroll'],
  ['the first sync', 'active', 'first', 'Payroll'],
  ['the request', 'active', 'first', 'Payroll'],
  ['the move', 'active', 'second', 'Sales'],
  ['the review', 'active', 'second', 'Sales'],
  ['leaving', 'deactivated', 'second', 'Sales'],
  ['the removal', 'deactivated', 'second', 'Sales'],
  ['the rehire', 'active', 'first', 'Payroll'],
  ['the last sync', 'active', 'first', 'Payroll'],
])('after %s, Joan was %s, with the %s manager, in %s', async (chapter, status, manager, department) => {
  expect(await send('GET', `/api/users/${joan}/?as_of=${times[chapter]}`)).toMatchObject({
    status,
    manager: managers[manager],
    attributes: { department },
  });
});

test.each<[Chapter, string[]]>([
  ['joining', []],
  ['the first sync', ['ACTIVE', 'blue']],
  ['the request', ['ACTIVE', 'blue', 'gold']],
  ['the move', ['ACTIVE', 'blue', 'gold', 'red']],
  ['the review', ['ACTIVE', 'gold', 'red']],
  ['leaving', ['SUSPENDED', 'gold', 'red']],
  ['the removal', []],
  ['the rehire', []],
  ['the last sync', ['ACTIVE', 'blue']],
])('after %s, Joan had %j', async (chapter, expected) => {
  const { results } = await send('GET', `/api/users/${joan}/access/?as_of=${times[chapter]}`);
  const held = results
    // After the last sync of a chapter, access that began later is listed as possible, too.
    .filter(({ bounds }: { bounds: { seen_from: string } }) => bounds.seen_from <= times[chapter])
    .flatMap((account: Held) => [
      account.status,
      ...[account.memberships, account.assignments]
        .flatMap((kinds) => Object.values(kinds).flat())
        .filter(({ bounds }) => bounds.seen_from <= times[chapter])
        .map(({ id }) => id)
        .sort(byName),
    ]);
  expect(held.sort(byName)).toEqual([...expected].sort(byName));
});

test('her history has every change of Joan herself, and none of her accounts', async () => {
  const { results } = await send('GET', `/api/users/${joan}/history/`);

  expect(
    results.map(({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field)),
  ).toEqual([
    ['manager', 'status', 'attributes.department'],
    ['status'],
    ['manager', 'attributes.department'],
    [],
  ]);
});

test('before Joan joined, she did not exist', async () => {
  expect(await service.call('GET', `/api/users/${joan}/?as_of=${times.before}`)).toMatchObject({
    status: 404,
  });
});

interface Held {
  status: string;
  memberships: Record<string, Ref[]>;
  assignments: Record<string, Ref[]>;
}
interface Ref {
  id: string;
  bounds: { seen_from: string };
}
const byName = (a: string, b: string) => a.localeCompare(b);
