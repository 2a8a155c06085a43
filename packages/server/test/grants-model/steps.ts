import fc from 'fast-check';
import type { Answer } from '../app.ts';
import { ENTITLEMENTS, type Key, type Payload, PEOPLE, type Person, type World } from './world.ts';

/** A step of a sequence. It does nothing where it cannot be done. */
export type Step =
  | {
      do: 'request';
      name: Person;
      keys: Exclude<Key, null>[];
      isNew: boolean;
      starts: number | null;
      ends: number | null;
    }
  | { do: 'give' | 'take'; name: Person; keys: Exclude<Key, null>[]; later: number | null }
  | { do: 'create' | 'suspend' | 'unsuspend' | 'delete'; name: Person; later: number | null }
  | { do: 'cancel' | 'retry'; which: number }
  | { do: 'review'; name: Person; key: Key; hours: number }
  | { do: 'team'; name: Person; team: string }
  | { do: 'leave' | 'return'; name: Person }
  | { do: 'merge' }
  | { do: 'fetch' }
  | { do: 'work' }
  | {
      do: 'report';
      which: number;
      outcome: 'done' | 'done without id' | 'pretended' | 'INTERNAL_ERROR' | 'TIMEOUT';
    }
  | { do: 'app gives' | 'app takes'; name: Person; key: Exclude<Key, null> }
  | { do: 'app suspends' | 'app activates' | 'app deletes' | 'app creates'; name: Person }
  | { do: 'sync'; misses: { name: Person; key: Key } | null }
  | { do: 'pass'; days: number }
  | { do: 'restore'; back: number };

const name = fc.constantFrom(...PEOPLE);
const one = fc.constantFrom(...ENTITLEMENTS);
const keys = fc.subarray([...ENTITLEMENTS], { minLength: 1, maxLength: 2 });
const key = fc.constantFrom<Key>('red', 'blue', 'gold', null);
const later = fc.constantFrom(null, null, null, 1.5);
const which = fc.nat(20);
const missed: fc.Arbitrary<{ name: Person; key: Key } | null> = fc.oneof(
  fc.constant(null),
  fc.record({ name, key }),
);
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const as = <T extends Step['do']>(...names: T[]) => fc.constantFrom(...names);

export const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    6,
    fc.record({
      ...{ do: as('request'), name, keys, isNew: fc.boolean() },
      ...{ starts: fc.constantFrom(null, null, 2.5), ends: fc.constantFrom(null, 4.5, 12.5, 40.5) },
    }),
  ),
  weighted(5, fc.record({ do: as('give', 'take'), name, keys, later })),
  weighted(4, fc.record({ do: as('create', 'suspend', 'unsuspend', 'delete'), name, later })),
  weighted(3, fc.record({ do: as('cancel', 'cancel', 'retry'), which })),
  weighted(2, fc.record({ do: as('review'), name, key, hours: fc.constantFrom(0, 0, 24) })),
  weighted(3, fc.record({ do: as('team'), name, team: fc.constantFrom('', 'sales', 'finance') })),
  weighted(3, fc.record({ do: as('leave', 'return', 'return'), name })),
  weighted(1, fc.constant({ do: 'merge' } as const)),
  weighted(1, fc.constant({ do: 'fetch' } as const)),
  weighted(7, fc.constant({ do: 'work' } as const)),
  weighted(
    5,
    fc.record({
      ...{ do: as('report'), which },
      outcome: fc.constantFrom('done', 'done', 'done without id', 'pretended', 'INTERNAL_ERROR', 'TIMEOUT'),
    }),
  ),
  weighted(2, fc.record({ do: as('app gives', 'app takes'), name, key: one })),
  weighted(2, fc.record({ do: as('app suspends', 'app activates', 'app deletes', 'app creates'), name })),
  weighted(7, fc.record({ do: as('sync'), misses: missed })),
  weighted(5, fc.record({ do: as('pass'), days: fc.constantFrom(0.1, 1, 3, 8, 20, 31) })),
  weighted(2, fc.record({ do: as('restore'), back: fc.nat(8) })),
);

const team = (value: string) => `user.attributes.team == '${value}'`;
const SUSPENDS = {
  name: 'Leavers',
  trigger: 'user.deactivated',
  condition: 'true',
  effects: [{ do: 'suspend' }],
};

/** The policies of an organization: each sequence has some of them. */
export const policies = fc.subarray([
  {
    ...{ name: 'Sales get blue', trigger: 'user.updated', condition: team('sales') },
    effects: [{ do: 'grant', memberships: { team: ['blue'] } }],
  },
  {
    ...{ name: 'Finance loses blue', trigger: 'user.updated', condition: team('finance') },
    effects: [{ do: 'revoke', memberships: { team: ['blue', 'red'] } }],
  },
  {
    ...{ name: 'Finance gets gold later', trigger: 'user.updated', condition: team('finance'), delay: 'P2D' },
    effects: [{ do: 'grant', assignments: { seat: ['gold'] } }],
  },
  SUSPENDS,
  { ...SUSPENDS, name: 'Leavers go', delay: 'P7D', effects: [{ do: 'delete' }] },
  { ...SUSPENDS, name: 'Back', trigger: 'user.reactivated', effects: [{ do: 'unsuspend' }] },
]);

const inDays = (days: number | null) =>
  days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();
const bySlug = (all: readonly Exclude<Key, null>[]) => ({
  memberships: { team: all.filter((id) => id !== 'gold') },
  assignments: { seat: all.filter((id) => id === 'gold') },
});

/** Takes a step. Returns whether something was done. */
export async function take(world: World, given: Step): Promise<{ done: boolean }> {
  const { call, service, people } = world;
  const isOk = ({ status }: Answer) => ({ done: status < 300 });
  const task = async (to: Person, action: string, more: object = {}) => {
    const account = await world.accountOf(to);
    const of = action === 'create_account' ? { user: people[to] } : { account };
    if (action !== 'create_account' && account === undefined) return { done: false };
    return isOk(await call('POST', '/api/tasks/', { app: service.appId, action, ...of, ...more }));
  };
  switch (given.do) {
    case 'request':
      return request(world, given);
    case 'give':
    case 'take': {
      const is = given.do === 'give' ? 'added' : 'removed';
      const [teams, seats] = [
        given.keys.filter((id) => id !== 'gold'),
        given.keys.filter((id) => id === 'gold'),
      ];
      const changes = {
        ...(teams.length > 0 && { team: { [is]: teams } }),
        ...(seats.length > 0 && { seat: { [is]: seats } }),
      };
      return task(given.name, 'update_account', {
        changes,
        execute_after: inDays(given.later),
        reason: given.do,
      });
    }
    case 'create':
    case 'suspend':
    case 'unsuspend':
    case 'delete':
      return task(given.name, `${given.do}_account`, {
        execute_after: inDays(given.later),
        reason: given.do,
      });
    case 'cancel':
    case 'retry': {
      const tasks = (await call('GET', '/api/tasks/?limit=200')).body.results.filter(
        ({ status }: { status: string }) =>
          given.do === 'retry' ? status === 'failed' : status === 'pending' || status === 'scheduled',
      );
      const chosen = tasks[given.which % Math.max(1, tasks.length)];
      if (chosen === undefined) return { done: false };
      return isOk(await call('POST', `/api/tasks/${chosen.external_uuid}/${given.do}/`));
    }
    case 'review':
      return review(world, given);
    case 'team':
      return isOk(
        await call('PATCH', `/api/users/${people[given.name]}/`, { attributes: { team: given.team } }),
      );
    case 'leave':
      return isOk(await call('POST', `/api/users/${people[given.name]}/deactivate/`));
    case 'return':
      return isOk(await call('POST', `/api/users/${people[given.name]}/reactivate/`));
    case 'merge':
      return isOk(await call('POST', `/api/users/${people.ann}/merge/`, { from: people.bob }));
    case 'fetch':
      return isOk(await service.bridge('GET', '/tasks/?status=pending'));
    case 'work': {
      let done = false;
      for (;;) {
        const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
        if (tasks.length === 0) return { done };
        for (const one of tasks) done = (await report(world, one, 'done')) || done;
      }
    }
    case 'report': {
      const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
      const chosen = tasks[given.which % Math.max(1, tasks.length)];
      return { done: chosen !== undefined && (await report(world, chosen, given.outcome)) };
    }
    case 'sync':
      await world.sync(given.misses);
      return { done: true };
    case 'pass':
      await world.passTime(given.days);
      return { done: true };
    case 'restore':
      return restore(world, given.back);
    default:
      return { done: changeOutside(world, given) };
  }
}

function changeOutside({ outside }: World, given: Extract<Step, { do: `app ${string}` }>): boolean {
  const record = outside.get(given.name);
  if (given.do === 'app creates') {
    if (record === undefined) outside.set(given.name, { status: 'active', held: new Set() });
    return record === undefined;
  }
  if (record === undefined) return false;
  if (given.do === 'app gives') record.held.add(given.key);
  else if (given.do === 'app takes') record.held.delete(given.key);
  else if (given.do === 'app deletes') outside.delete(given.name);
  else record.status = given.do === 'app suspends' ? 'suspended' : 'active';
  return true;
}

async function request(world: World, given: Extract<Step, { do: 'request' }>) {
  const { call, people, service } = world;
  const asked = await call(
    'POST',
    '/api/tickets/',
    {
      ...{ app: service.appId, user: people[given.name], ...bySlug(given.keys) },
      type: given.isNew ? 'NEW_ACCESS' : 'MODIFY_ACCESS',
      ...{ start_time: inDays(given.starts), end_time: inDays(given.ends) },
    },
    world.manager,
  );
  if (asked.status !== 201) return { done: false };
  const id = asked.body.external_uuid;
  const body = { override: true, comment: 'In a test' };
  const { status } = await call('POST', `/api/tickets/${id}/approve/`, body);
  return { done: status === 200 };
}

async function review(world: World, given: Extract<Step, { do: 'review' }>) {
  const { call } = world;
  const { body: campaign } = await call('POST', '/api/reviews/', {
    ...{ name: 'Quarterly', scope: { include: ['accounts', 'memberships', 'assignments'] } },
    ...{ cooling_off_hours: given.hours, revoke_account_by: 'suspend' },
  });
  const { status, body: cycle } = await call('POST', `/api/reviews/${campaign.external_uuid}/start/`);
  if (status !== 201) return { done: false };
  const path = `/api/reviews/cycles/${cycle.external_uuid}`;
  await world.settle();
  const account = await world.accountOf(given.name);
  const { results } = (await call('GET', `${path}/items/?limit=100`)).body;
  const items = results.filter(
    // biome-ignore lint/suspicious/noExplicitAny: the body of an item.
    (item: any) => item.account?.external_uuid === account && (item.resource?.id ?? null) === given.key,
  );
  const decided =
    items.length === 0
      ? { status: 0 }
      : await call('POST', `${path}/decisions/`, { items: [items[0].id], decision: 'revoke' });
  await call('POST', `${path}/close/`);
  return { done: decided.status === 200 };
}

async function restore({ call, service, moments }: World, back: number) {
  const at = moments[Math.max(0, moments.length - 1 - back)];
  if (at === undefined) return { done: false };
  const asked = { app: service.appId, as_of: at.toISOString() };
  const shown = await call('POST', '/api/restore/', asked);
  const made = await call('POST', '/api/restore/', { ...asked, dry_run: false, plan: shown.body.plan });
  return { done: made.status === 200 && made.body.tasks.length > 0 };
}

/** Reports a task. A connector that pretends says that it is done, and has done nothing. */
async function report(
  world: World,
  task: { id: string; action: string; payload: Payload },
  outcome: Extract<Step, { do: 'report' }>['outcome'],
): Promise<boolean> {
  const path = `/tasks/${task.id}/status/`;
  if (outcome === 'INTERNAL_ERROR' || outcome === 'TIMEOUT') {
    const error = { code: outcome, message: 'No luck' };
    return (await world.service.bridge('PATCH', path, { status: 'failed', error })).status === 200;
  }
  const id = outcome === 'pretended' ? null : world.carryOut(task);
  const result = task.action === 'create_account' && outcome === 'done' ? { account: { id } } : null;
  return (await world.service.bridge('PATCH', path, { status: 'completed', result })).status === 200;
}
