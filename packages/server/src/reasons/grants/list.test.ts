import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { addPersonWithKey } from '#test/people.ts';
import { settle } from '#test/policies.ts';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

let service: RequestsTest;
let record: { id: string; email: string; memberships: object };
beforeEach(async () => {
  service = await openRequestsTest();
  record = { id: 'ada', email: service.ada.email, memberships: { team: [{ id: 'red' }] } };
  await service.sync([record]);
});
afterEach(() => service.close());

const get = (path: string, by = {}) => service.call('GET', path, undefined, by);
const list = async (query = '', by = {}) => {
  const { status, body } = await get(`/api/grants/?${query}`, by);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.results;
};
const account = async (email = service.ada.email) => (await service.accountByEmail(email)).external_uuid;
const shown = async (by = {}) => (await get(`/api/accounts/${await account()}/`, by)).body;

/** Adds Ada to a group, or removes her, by hand. Returns the task. */
async function byHand(changes: { added?: string[]; removed?: string[] }): Promise<string> {
  const { status, body } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, account: await account(), action: 'update_account', reason: 'By phone' },
    changes: { team: changes },
  });
  expect([status, body.detail]).toEqual([201, undefined]);
  await service.work();
  return body.external_uuid;
}

const blue = (more = {}) =>
  service.approved({ user: service.ada.id, type: 'MODIFY_ACCESS', memberships: { team: ['blue'] }, ...more });

describe('a grant', () => {
  test('of a request says who decided, for whom and until when, and ends by itself', async () => {
    const end = inDays(10);
    const ticket = await blue({ end_time: end });
    await service.work();

    const [grant, ...others] = await list();
    expect(others).toEqual([]);
    expect(grant).toEqual({
      external_uuid: expect.any(String),
      account: await account(),
      account_email: service.ada.email,
      ...{ user: service.ada.id, for_user: service.ada.id, app: service.appId, app_name: 'Payroll' },
      ...{ slug: 'team', resource: 'blue', resource_name: 'Blue' },
      source: { kind: 'request', external_uuid: ticket.external_uuid, label: ticket.label },
      decided_by: service.adminId,
      ...{ starts_at: expect.any(String), ends_at: new Date(end).toISOString() },
      ...{ ended_at: null, ended_by: null, brought: true, of_another_person: false },
    });
    expect((await get(`/api/grants/${grant.external_uuid}/`)).body).toEqual(grant);

    await service.passTime(10 * 86_400 + 60);
    await service.work();
    expect(await list()).toEqual([]);
    const [ended] = await list('status=ended');
    expect(ended).toMatchObject({
      external_uuid: grant.external_uuid,
      ended_by: { kind: 'end', external_uuid: ticket.external_uuid, label: ticket.label },
    });
    expect(ended.ended_at).toBe(ended.ends_at);
    expect(await list('status=owed')).toMatchObject([{ external_uuid: grant.external_uuid }]);
  });

  test('of a request that begins later is scheduled', async () => {
    await blue({ start_time: inDays(3), end_time: inDays(6) });
    expect(await list()).toEqual([]);
    expect(await list('status=scheduled')).toMatchObject([{ resource: 'blue', brought: false }]);
  });

  test('by hand has the task as its source, and ends with the removal by hand', async () => {
    const given = await byHand({ added: ['blue'] });
    expect(await list()).toMatchObject([
      { source: { kind: 'manual', external_uuid: given, label: 'By phone' }, decided_by: service.adminId },
    ]);
    const taken = await byHand({ removed: ['blue'] });
    expect(await list('status=ended')).toMatchObject([
      { ended_by: { kind: 'manual', external_uuid: taken, label: 'By phone' } },
    ]);
  });

  test('ends when its task is canceled', async () => {
    await blue({ start_time: inDays(3) });
    const [task] = (await get('/api/tasks/?status=scheduled')).body.results;
    await service.call('POST', `/api/tasks/${task.external_uuid}/cancel/`, { reason: 'Not needed' });
    expect(await list('status=scheduled')).toEqual([]);
    expect(await list('status=ended')).toMatchObject([{ ended_by: { kind: 'manual', label: 'Not needed' } }]);
  });

  test('ends with the policy that takes the access away, which names the policy', async () => {
    const policy = async (effect: string) => {
      const { body } = await service.call('POST', '/api/policies/', {
        ...{ name: effect, trigger: 'user.updated', condition: `user.attributes.team == '${effect}'` },
        effects: [{ do: effect, app: service.appId, memberships: { team: ['blue'] } }],
        enabled: true,
      });
      return body;
    };
    const [grants, revokes] = [await policy('grant'), await policy('revoke')];
    expect([grants.detail, revokes.detail]).toEqual([undefined, undefined]);
    const change = async (team: string) => {
      await service.call('PATCH', `/api/users/${service.ada.id}/`, { attributes: { team } });
      await settle(service.database.db);
      await service.work();
    };
    await change('grant');
    expect(await list()).toMatchObject([
      { source: { kind: 'policy', external_uuid: grants.external_uuid, label: 'grant' } },
    ]);
    await change('revoke');
    expect(await list('status=ended')).toMatchObject([
      { ended_by: { kind: 'policy', external_uuid: revokes.external_uuid, label: 'revoke' } },
    ]);
  });

  test('ends with the revocation of a review, also over access that was found', async () => {
    const given = await byHand({ added: ['blue'] });
    const { body: campaign } = await service.call('POST', '/api/reviews/', {
      ...{ name: 'Quarterly', scope: { include: ['memberships'] }, cooling_off_hours: 0 },
    });
    const { body: cycle } = await service.call('POST', `/api/reviews/${campaign.external_uuid}/start/`);
    const path = `/api/reviews/cycles/${cycle.external_uuid}`;
    const items = (await get(`${path}/items/`)).body.results;
    const of = (id: string) => items.find((item: { resource: { id: string } }) => item.resource.id === id);
    expect(of('red').context).toMatchObject({ found: true, grants: [] });
    expect(of('blue').context).toMatchObject({
      found: false,
      grants: [{ kind: 'manual', label: 'By phone', ends_at: null }],
    });
    const context = (await get(`${path}/items/context/?items=${of('blue').id}`)).body.results[0];
    expect(context.granted.grants).toMatchObject([
      { kind: 'manual', decided_by: { external_uuid: service.adminId } },
    ]);
    await service.call('POST', `${path}/decisions/`, { items: [of('blue').id], decision: 'revoke' });
    await service.call('POST', `${path}/close/`);
    await service.app.tick();
    await service.work();
    const [ended] = await list('status=ended');
    expect(ended).toMatchObject({
      source: { external_uuid: given },
      ended_by: { kind: 'review', external_uuid: of('blue').id, label: 'Quarterly' },
    });
    const periods = (await get(`/api/history/access/?app=${service.appId}&slug=team&resource=blue`)).body
      .results;
    expect(periods).toMatchObject([
      {
        grant: { external_uuid: ended.external_uuid, kind: 'manual', label: 'By phone' },
        ended_by: { kind: 'review', external_uuid: of('blue').id, label: 'Quarterly' },
      },
    ]);
  });

  test('of access that syncs do not show for 30 days ends, and counts as given if it comes back before', async () => {
    await byHand({ added: ['blue'] });
    const both = { ...record, memberships: { team: [{ id: 'red' }, { id: 'blue' }] } };
    await service.sync([both]);
    await service.sync([record]);
    await service.passTime(86_400);
    await service.sync([both]);
    expect((await shown()).memberships.team).toMatchObject([
      { id: 'blue', found: false, grants: [{ kind: 'manual' }] },
      { id: 'red', found: true, grants: [] },
    ]);
    await service.sync([record]);
    await service.passTime(31 * 86_400);
    await service.sync([record]);
    expect(await list('status=ended')).toMatchObject([{ resource: 'blue', ended_by: { kind: 'sync' } }]);
  });

  test('of access that is missing for 30 days ends with its planned end', async () => {
    await blue({ end_time: inDays(60) });
    await service.work();
    await service.sync([record]);
    await service.passTime(31 * 86_400);
    await service.sync([record]);
    expect(await list()).toEqual([]);
    expect((await get('/api/tasks/?status=scheduled')).body.results).toEqual([]);
  });

  test('of a request ends with the request if the group is gone when its turn comes', async () => {
    const ticket = await blue({ start_time: inDays(3) });
    await service.sync([record], { team: [{ id: 'red', name: 'Red' }] });
    await service.passTime(3 * 86_400 + 60);
    await service.work();
    expect(await list('status=ended')).toMatchObject([
      { ended_by: { kind: 'request', external_uuid: ticket.external_uuid } },
    ]);
  });

  test('of a restore has the restore as its source', async () => {
    await byHand({ added: ['blue'] });
    const before = await momentBetween(service.database.db);
    await byHand({ removed: ['blue'] });
    const asked = { app: service.appId, as_of: before, include_decided: true };
    const shown = await service.call('POST', '/api/restore/', asked);
    const { status, body } = await service.call('POST', '/api/restore/', {
      ...{ ...asked, dry_run: false, plan: shown.body.plan },
    });
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(await list()).toMatchObject([
      {
        resource: 'blue',
        source: {
          kind: 'restore',
          external_uuid: shown.body.plan,
          label: expect.stringContaining('Restore to'),
        },
      },
    ]);
  });

  test('moves with a merge, and ends with the archive of its app', async () => {
    await blue();
    const { body: other } = await service.call('POST', '/api/users/', { email: 'a.lovelace@acme.example' });
    const merged = await service.call('POST', `/api/users/${other.external_uuid}/merge/`, {
      from: service.ada.id,
    });
    expect([merged.status, merged.body.detail]).toEqual([200, undefined]);
    expect(await list(`user=${other.external_uuid}`)).toMatchObject([
      { for_user: other.external_uuid, of_another_person: false },
    ]);
    await service.call('DELETE', `/api/apps/${service.appId}/`);
    expect(await list('status=ended')).toMatchObject([
      { ended_by: { kind: 'archive', external_uuid: service.appId, label: 'Payroll' } },
    ]);
  });

  test('for another person is marked, and is not a reason of who has the account now', async () => {
    await blue();
    await service.work();
    await service.call('PATCH', `/api/accounts/${await account()}/`, { user: service.owen.id });
    expect(await list()).toMatchObject([
      { user: service.owen.id, for_user: service.ada.id, of_another_person: true },
    ]);
    const { memberships } = await shown();
    expect(memberships.team).toMatchObject([
      { id: 'blue', found: false, grants: [] },
      { id: 'red', found: true },
    ]);
  });

  test('of an account that a record takes over stays with the account', async () => {
    const person = await service.addUser('new@acme.example');
    await service.approved({ user: person, memberships: { team: ['blue'] } });
    const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
    await service.bridge('PATCH', `/tasks/${tasks[0].id}/status/`, { status: 'completed' });
    await service.sync([
      record,
      { id: 'n', email: 'new@acme.example', memberships: { team: [{ id: 'blue' }] } },
    ]);
    const grants = await list(`user=${person}`);
    expect(
      grants.map(({ resource, source }: { resource: string; source: { kind: string } }) => [
        resource,
        source.kind,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['blue', 'request'],
        [null, 'request'],
      ]),
    );
    const taken = await service.accountByEmail('new@acme.example');
    expect(taken).toMatchObject({ status: 'ACTIVE', found: false, grants: [{ kind: 'request' }] });
    expect(taken.memberships.team).toMatchObject([{ found: false, grants: [{ kind: 'request' }] }]);
  });

  test('of a deleted account ends with the decision to delete it', async () => {
    await blue();
    await service.work();
    const { body } = await service.call('POST', '/api/tasks/', {
      ...{ app: service.appId, account: await account(), action: 'delete_account', reason: 'Left' },
    });
    await service.work();
    expect(await list('status=ended')).toMatchObject([
      { ended_by: { kind: 'manual', external_uuid: body.external_uuid, label: 'Left' } },
    ]);
  });
});

describe('the list of grants', () => {
  test('can be filtered, and read as of earlier times', async () => {
    const { db } = service.database;
    const before = await momentBetween(db);
    await blue({ end_time: inDays(10) });
    const active = await momentBetween(db);
    await byHand({ removed: ['blue'] });
    const after = await momentBetween(db);

    const counts = async (...queries: string[]) => {
      const found: number[] = [];
      for (const query of queries) found.push((await list(query)).length);
      return found;
    };
    expect(await counts(`as_of=${before}`, `as_of=${active}`, `as_of=${after}`, '')).toEqual([0, 1, 0, 0]);
    expect(await counts(`as_of=${active}&status=ended`, `as_of=${after}&status=ended`)).toEqual([0, 1]);
    const [then] = await list(`as_of=${active}&known_at=${active}`);
    expect(then).toMatchObject({ ended_at: null, ended_by: null });
    const [now] = await list(`as_of=${active}`);
    expect(now).toMatchObject({ ended_by: { kind: 'manual' } });
    const ended = 'status=ended';
    const id = await account();
    expect(
      await counts(
        ...[`account=${id}&${ended}`, `user=${service.ada.id}&${ended}`, `user=${service.owen.id}&${ended}`],
        ...[
          `app=${service.appId}&${ended}`,
          `slug=team&resource=blue&${ended}`,
          `slug=team&resource=red&${ended}`,
        ],
        ...[`kind=request&${ended}`, `kind=policy&${ended}`, `ends_before=${inDays(11)}&${ended}`],
        ...[`ends_before=${inDays(9)}&${ended}`, `user=${service.ada.id}&as_of=${active}`],
      ),
    ).toEqual([1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1]);
    const { body } = await get(`/api/accounts/${id}/?as_of=${active}`);
    expect(body.memberships.team).toMatchObject([{ id: 'red', found: true, grants: [] }]);
  });

  test('is CSV on request', async () => {
    const ticket = await blue();
    const { body } = await get('/api/grants/?format=csv');
    expect(body.trim().split('\r\n')).toHaveLength(2);
    expect(body).toContain(`Blue,request,${ticket.external_uuid}`);
  });

  test('shows members kinds and ends of their own, and managers those of their reports', async () => {
    await byHand({ added: ['blue'] });
    const [all] = await list();
    const hidden = {
      source: { kind: 'manual', external_uuid: null, label: null },
      ...{ decided_by: null, for_user: service.ada.id },
    };
    for (const by of [service.ada, service.grace]) {
      expect(await list('', by)).toEqual([{ ...all, ...hidden }]);
      expect((await get(`/api/grants/${all.external_uuid}/`, by)).body).toEqual({ ...all, ...hidden });
      expect(await list(`user=${service.ada.id}`, by)).toHaveLength(1);
    }
    expect(await list('', service.owen)).toEqual([]);
    expect((await get(`/api/grants/${all.external_uuid}/`, service.owen)).status).toBe(403);
    expect((await get(`/api/grants/?user=${service.ada.id}`, service.owen)).status).toBe(403);
    const brief = { external_uuid: all.external_uuid, kind: 'manual', ends_at: null };
    expect((await shown()).memberships.team[0].grants).toEqual([{ ...brief, label: 'By phone' }]);
    expect((await shown(service.ada)).memberships.team[0].grants).toEqual([{ ...brief, label: null }]);
    const report = (await get(`/api/my-team/${service.ada.id}/`, service.grace)).body;
    expect(report.accounts[0].memberships.team[0].grants).toEqual([{ ...brief, label: null }]);
    const query = `/api/history/access/?account=${all.account}`;
    const period = (body: { results: { resource: { id: string } | null }[] }) =>
      body.results.find(({ resource }) => resource?.id === 'blue');
    expect(period((await get(query)).body)).toMatchObject({ grant: { ...brief, label: 'By phone' } });
    expect(period((await get(query, service.ada)).body)).toMatchObject({ grant: { ...brief, label: null } });
  });

  test('is limited to the apps of a key', async () => {
    await blue();
    const [{ external_uuid: id }] = await list();
    const { body: other } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Other' });
    const key = await addPersonWithKey(service, 'admin', { apps: [other.id] });
    expect(await list('', key)).toEqual([]);
    expect((await get(`/api/grants/?app=${service.appId}`, key)).status).toBe(403);
    expect((await get(`/api/grants/${id}/`, key)).status).toBe(403);
  });

  test.each([
    ['slug=team', 'slug'],
    ['known_at=2026-01-01T00:00:00Z', 'as_of'],
    ['as_of=2026-01-01T00:00:00Z&status=owed', 'owed'],
    ['status=gone', 'status'],
    ['ends_before=soon', 'ends_before'],
  ])('refuses %s', async (query, word) => {
    const { status, body } = await get(`/api/grants/?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(word);
  });
});

test('access through something else has the grants of its source, and is found if that was', async () => {
  const nested = (via: object | null) => ({
    ...record,
    memberships: { team: [{ id: 'blue' }, { id: 'red', via }] },
  });
  await byHand({ added: ['blue'] });
  await service.sync([nested({ slug: 'team', id: 'blue' })]);
  const { team } = (await shown()).memberships;
  const via = { type: 'group', slug: 'team', id: 'blue', name: 'Blue' };
  expect(team[1]).toMatchObject({ id: 'red', via, found: false, grants: [{ kind: 'manual', via }] });
  const { results } = (await get(`/api/apps/${service.appId}/resources/?slug=team`)).body;
  const red = results.find(({ id }: { id: string }) => id === 'red').external_uuid;
  const members = (await get(`/api/apps/${service.appId}/resources/${red}/members/`)).body.results;
  expect(members).toMatchObject([
    { via, found: false, grants: [{ kind: 'manual', label: 'By phone', via }] },
  ]);
});
