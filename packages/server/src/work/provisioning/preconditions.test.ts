import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import type { NewTask } from './create.ts';
import { entitlementIds } from './entitlements.ts';
import { spareRemovals, unmetPreconditions } from './queries/preconditions.ts';
import type { Precondition, TaskSource } from './task.ts';

const NAMES = Array.from({ length: 30 }, (_, n) => `p${n}`);
let free = [...NAMES];

let service: ProvisioningTest;
const entitlement: Record<string, string> = {};
beforeAll(async () => {
  service = await openProvisioningTest(
    NAMES.map((id) => ({ id, email: `${id}@acme.example`, memberships: { team: [{ id: 'red' }] } })),
  );
  for (const color of ['red', 'blue']) {
    const [id = ''] = await entitlementIds(within(service.database.db, service.orgId), service.appId, {
      team: [color],
    });
    entitlement[color] = id;
  }
});
afterAll(() => service.close());

/** An active member of red that no other case uses. */
async function member(): Promise<string> {
  const name = free[0] ?? '';
  free = free.slice(1);
  return (await service.accountByEmail(`${name}@acme.example`)).external_uuid;
}

const common = (accountId: string) => ({
  appId: service.appId,
  accountId,
  taskType: 'POLICY' as const,
  createdBy: null,
});
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Creates a task for later and returns whether its precondition holds now. */
async function holds(wanted: Partial<NewTask> & { accountId: string }, precondition: Precondition) {
  const task = { action: 'update_account', ...common(wanted.accountId), ...wanted, executeAfter: inAnHour() };
  const [created] = await service.create({ ...task, preconditions: [precondition] } as NewTask);
  return stillHolds(created?.id ?? '');
}

async function stillHolds(taskId: string): Promise<boolean> {
  const { db } = service.database;
  await db.transaction().execute((tx) => spareRemovals(within(tx, service.orgId), [taskId]));
  return !(await unmetPreconditions(within(db, service.orgId), [taskId])).has(taskId);
}

describe('user_active and user_inactive', () => {
  test.each([
    ['an active person', 'active', true],
    ['a deactivated person', 'deactivated', false],
    ['a deleted person', 'deleted', false],
  ])('%s', async (_, state, isActive) => {
    const { db } = service.database;
    const accountId = await member();
    const user_id = await service.addUser(`${accountId}@people.example`);
    if (state === 'deleted') await sql`delete from platform_user where id = ${user_id}`.execute(db);
    else await sql`update platform_user set status = ${state} where id = ${user_id}`.execute(db);

    expect(await holds({ accountId }, { kind: 'user_active', user_id })).toBe(isActive);
    expect(await holds({ accountId }, { kind: 'user_inactive', user_id })).toBe(!isActive);
  });
});

describe('account_status', () => {
  test.each([
    ['ACTIVE', ['ACTIVE'], true],
    ['ACTIVE', ['INVITED', 'ACTIVE'], true],
    ['ACTIVE', ['SUSPENDED'], false],
  ])('an account that is %s, of %o', async (_, statuses, expected) => {
    expect(await holds({ accountId: await member() }, { kind: 'account_status', in: statuses })).toBe(
      expected,
    );
  });
});

describe('change_needed', () => {
  test.each([
    ['adds red', { add: ['red'] }, false],
    ['adds blue', { add: ['blue'] }, true],
    ['adds red and blue', { add: ['red', 'blue'] }, true],
    ['removes red', { remove: ['red'] }, true],
    ['removes blue', { remove: ['blue'] }, false],
  ])('a task that %s for a member of red', async (_, { add = [], remove = [] }: Change, expected) => {
    expect(
      await holds(
        { accountId: await member(), add: ids(add), remove: ids(remove) },
        { kind: 'change_needed' },
      ),
    ).toBe(expected);
  });
});

test('a task behind another one asks what the account holds when its turn comes', async () => {
  const accountId = await member();
  const now = { action: 'update_account' as const, ...common(accountId), preconditions: [] };
  const [removal] = await service.create({ ...now, remove: ids(['red']) } as NewTask);
  const [addition] = await service.create({
    ...now,
    add: ids(['red']),
    preconditions: [{ kind: 'change_needed' }],
  } as NewTask);
  const report = (id: string) => service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
  await report(removal?.id ?? '');
  expect((await report(addition?.id ?? '')).status).toBe(200);
});

interface Change {
  add?: string[];
  remove?: string[];
}
const ids = (colors: readonly string[]) => colors.map((color) => entitlement[color] ?? '');

describe('not_regranted', () => {
  test.each([
    ['no newer task', null, 'open', true],
    ['a newer open task that adds red', { add: ['red'] }, 'open', false],
    ['a newer completed task that adds red', { add: ['red'] }, 'completed', false],
    ['a newer failed task that adds red', { add: ['red'] }, 'failed', false],
    ['a newer task that adds blue', { add: ['blue'] }, 'open', true],
  ])('a removal of red with %s', async (_, change: Change | null, ending, expected) => {
    const accountId = await member();
    const removal = { ...common(accountId), action: 'update_account' as const, remove: ids(['red']) };
    const [first] = await service.create({
      ...removal,
      executeAfter: inAnHour(),
      preconditions: [{ kind: 'not_regranted' }],
    });
    if (change !== null) {
      const [newer] = await service.create({
        ...common(accountId),
        action: 'update_account',
        add: ids(change.add ?? []),
      });
      if (ending !== 'open') await end(newer?.id ?? '', ending);
    }

    expect(await stillHolds(first?.id ?? '')).toBe(expected);
  });
});

const end = (taskId: string, status: string) =>
  service.bridge('PATCH', `/tasks/${taskId}/status/`, {
    status,
    error: status === 'failed' ? { code: 'PERMISSION_DENIED', message: '' } : null,
  });

describe('no_grant', () => {
  const source = (n: number): TaskSource => ({
    type: 'ticket',
    id: `0199a000-0000-7000-8000-00000000000${n}`,
  });
  type Other = 'none' | 'keeps' | 'has the same id' | 'ends later' | 'ended' | 'was removed';

  /** Another decision grants blue to the account. */
  async function grantElsewhere(accountId: string, other: Other) {
    if (other === 'none') return;
    const by = other === 'has the same id' ? { ...source(1), type: 'policy' as const } : source(2);
    const grant = { ...common(accountId), action: 'update_account' as const, source: by };
    const until = other === 'ends later' ? inAnHour() : null;
    const [granted] = await service.create({ ...grant, add: ids(['blue']), until });
    await end(granted?.id ?? '', 'completed');
    if (other === 'ended' || other === 'was removed') {
      const remover = other === 'ended' ? by : null;
      const [removal] = await service.create({ ...grant, source: remover, remove: ids(['blue']) });
      await end(removal?.id ?? '', 'completed');
    }
  }

  /** Makes it look as if a task had created the account, with all that it has. */
  async function markGiven(accountId: string) {
    const { db } = service.database;
    await sql`update account set given = true where id = ${accountId}`.execute(db);
    await sql`update membership set given = true where account_id = ${accountId}`.execute(db);
  }

  test('deleting an account that a sync found', async () => {
    const deletion = { accountId: await member(), action: 'delete_account', source: source(1) } as const;
    expect(await holds(deletion, { kind: 'no_grant' })).toBe(false);
  });

  test.each([
    ['is the only one', 'none', true],
    ['is one of two; the other has no end', 'keeps', false],
    ['is one of two; the other is of another type, with the same id', 'has the same id', false],
    ['is one of two; the other ends later', 'ends later', false],
    ['is one of two; the other has ended', 'ended', true],
    ['is one of two; the access was removed since', 'was removed', true],
  ] as const)('removing blue when the decision %s', async (_, other, expected) => {
    const accountId = await member();
    await grantElsewhere(accountId, other);

    expect(await holds({ accountId, remove: ids(['blue']), source: source(1) }, { kind: 'no_grant' })).toBe(
      expected,
    );
  });

  test.each([
    ['no other decision granted anything', 'none', true],
    ['another decision granted blue', 'keeps', false],
    ['a decision of another type, with the same id, granted blue', 'has the same id', false],
    ['the other decision has ended', 'ended', true],
  ] as const)('deleting the account when %s', async (_, other, expected) => {
    const accountId = await member();
    await markGiven(accountId);
    await grantElsewhere(accountId, other);

    expect(
      await holds({ accountId, action: 'delete_account', source: source(1) }, { kind: 'no_grant' }),
    ).toBe(expected);
  });
});
