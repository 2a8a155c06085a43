import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tx, transaction } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';
import { approversOf } from './approvers.ts';

/** `ada` is the beneficiary, `grace` her manager, `owen` the app's owner, `admin` the only administrator. */
type Name = 'admin' | 'ada' | 'grace' | 'owen' | 'lena' | 'finn';

interface Case {
  approvers: 'manager' | 'app_owner' | Name[];
  fallback?: Name[] | null;
  requester?: Name;
  /** The person who filed the request, if not the requester. */
  creator?: Name;
  beneficiary?: Name;
  /** People who are deactivated, or auditors, when the approvers are read. */
  inactive?: Name[];
  auditors?: Name[];
  status?: string;
  expected: `${Name} ${'named' | 'fallback' | 'administrators'}`[];
}

let service: RequestsTest;
let ticketId: string;
const ids = new Map<Name, string>();

beforeAll(async () => {
  service = await openRequestsTest();
  ids.set('admin', service.adminId);
  for (const name of ['ada', 'grace', 'owen'] as const) ids.set(name, service[name].id);
  for (const name of ['lena', 'finn'] as const) ids.set(name, (await addPersonWithKey(service, 'member')).id);
  ticketId = (await service.ask({ user: service.ada.id })).body.external_uuid;
});
afterAll(() => service.close());

const idsOf = (names: Name[]) => names.map((name) => ids.get(name) as string);

async function arrange(tx: Tx, wanted: Case) {
  const { approvers, fallback = null, requester = 'ada', beneficiary = 'ada', status = 'PENDING' } = wanted;
  const { creator = requester } = wanted;
  const named = typeof approvers === 'string' ? approvers : idsOf(approvers);
  const steps = JSON.stringify([{ approvers: named, require: 'any' }]);
  const stand = fallback === null ? null : idsOf(fallback);
  await sql`
    update ticket set steps = ${steps}::jsonb, fallback_approvers = ${stand}::uuid[], status = ${status},
      requester_id = ${ids.get(requester)}, created_by = ${ids.get(creator)}, user_id = ${ids.get(beneficiary)}
    where org_id = ${service.orgId} and id = ${ticketId}`.execute(tx);
  await sql`
    update platform_user set status = 'deactivated'
    where org_id = ${service.orgId} and id = any(${idsOf(wanted.inactive ?? [])}::uuid[])`.execute(tx);
  await sql`
    update platform_user set role = 'auditor'
    where org_id = ${service.orgId} and id = any(${idsOf(wanted.auditors ?? [])}::uuid[])`.execute(tx);
}

async function approvers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ user_id: string; via: string }>`
    select w.user_id, w.via from ticket t cross join lateral ${approversOf(service, 't')} as w
    where t.org_id = ${service.orgId} and t.id = ${ticketId}`.execute(tx);
  const nameOf = new Map([...ids].map(([name, id]) => [id, name]));
  return rows.map(({ user_id, via }) => `${nameOf.get(user_id)} ${via}`).sort();
}

class Rollback extends Error {}

/** Reads the approvers in a transaction that is rolled back. */
async function approversIn(wanted: Case): Promise<string[]> {
  let found: string[] = [];
  await transaction(service.database.db, async (tx) => {
    await arrange(tx, wanted);
    found = await approvers(tx);
    throw new Rollback();
  }).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  return found;
}

test.each<[string, Case]>([
  ['the manager', { approvers: 'manager', expected: ['grace named'] }],
  ['the app owner', { approvers: 'app_owner', expected: ['owen named'] }],
  ['all listed people', { approvers: ['lena', 'finn'], expected: ['finn named', 'lena named'] }],
  ['a person listed twice once', { approvers: ['lena', 'lena'], expected: ['lena named'] }],
  [
    'a named approver before the fallback',
    { approvers: ['lena'], fallback: ['finn'], expected: ['lena named'] },
  ],
  [
    'the fallback if the beneficiary has no manager',
    { approvers: 'manager', beneficiary: 'owen', fallback: ['finn'], expected: ['finn fallback'] },
  ],
  [
    'administrators if nobody is named and no fallback is set',
    { approvers: 'manager', beneficiary: 'owen', expected: ['admin administrators'] },
  ],
  [
    'remaining named people if one is inactive',
    { approvers: ['lena', 'finn'], inactive: ['lena'], expected: ['finn named'] },
  ],
  [
    'the fallback if every named person is inactive',
    { approvers: 'manager', inactive: ['grace'], fallback: ['finn'], expected: ['finn fallback'] },
  ],
  [
    'the fallback if the named person is an auditor',
    { approvers: ['lena'], auditors: ['lena'], fallback: ['finn'], expected: ['finn fallback'] },
  ],
  [
    'the fallback if the requester is the named person',
    { approvers: ['lena'], requester: 'lena', fallback: ['finn'], expected: ['finn fallback'] },
  ],
  [
    'the fallback if the beneficiary is the named person',
    { approvers: 'app_owner', beneficiary: 'owen', fallback: ['finn'], expected: ['finn fallback'] },
  ],
  [
    'administrators if neither named people nor the fallback are eligible',
    {
      approvers: ['lena'],
      inactive: ['lena'],
      fallback: ['finn'],
      auditors: ['finn'],
      expected: ['admin administrators'],
    },
  ],
  ['an administrator as named', { approvers: ['admin'], expected: ['admin named'] }],
  [
    'nobody if the only administrator is the requester',
    { approvers: ['lena'], inactive: ['lena'], requester: 'admin', expected: [] },
  ],
  [
    'the fallback if the named person filed the ticket',
    { approvers: ['lena'], creator: 'lena', fallback: ['finn'], expected: ['finn fallback'] },
  ],
  [
    'administrators if the fallback approver filed the ticket',
    {
      approvers: ['lena'],
      inactive: ['lena'],
      fallback: ['finn'],
      creator: 'finn',
      expected: ['admin administrators'],
    },
  ],
  [
    'nobody if the only administrator filed the ticket',
    { approvers: ['lena'], inactive: ['lena'], creator: 'admin', expected: [] },
  ],
  ['nobody once the ticket is decided', { approvers: 'manager', status: 'APPROVED', expected: [] }],
])('approvers are %s', async (_who, wanted) => {
  expect(await approversIn(wanted)).toEqual(wanted.expected);
});
