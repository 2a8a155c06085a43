// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { organizationOf } from '#test/people.ts';
import { candidatesStatement, PROBES, type Probe } from './suggestions.ts';

const PEOPLE = 20_000;

let service: TestApp;
let orgId: string;
beforeAll(async () => {
  service = await openTestApp({ own: true });
  ({ orgId } = await organizationOf(service));
  const { db } = service.database;
  await sql`
    insert into platform_user (org_id, email, username, first_name, last_name)
    select ${orgId}::uuid, 'first.last' || i || '@acme.example', 'user' || i, 'First', 'Last' || (i % 5000)
    from generate_series(1, ${PEOPLE}::integer) i`.execute(db);
  await sql`vacuum analyze platform_user`.execute(db);
});
afterAll(() => service.close());

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

async function explained(statement: RawBuilder<unknown>): Promise<Node[]> {
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: Node }];
  }>`explain (analyze, format json) ${statement}`.execute(service.database.db);
  const flatten = (node: Node | undefined): Node[] =>
    node === undefined || node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(flatten)];
  return flatten(rows[0]?.['QUERY PLAN'][0].Plan);
}

const VALUES: Record<Probe['kind'], string> = {
  email: 'FIRST.last7@acme.example',
  username: 'User8',
  local_part: 'first.last9',
  name: 'flast10',
};

test('looks candidates up through indexes, however many people there are', async () => {
  const probes = Array.from({ length: 50 }).flatMap(() =>
    PROBES.map(
      (kind): Probe => ({ account_id: randomUUID(), kind, value: VALUES[kind], name: 'First Last10' }),
    ),
  );
  if (service.database.engine === 'citus') return;

  const nodes = await explained(candidatesStatement({ orgId }, probes));

  const ofPeople = nodes.filter((node) => node['Relation Name'] === 'platform_user');
  expect(ofPeople.length).toBe(PROBES.length);
  for (const node of ofPeople) {
    expect(node['Node Type']).not.toBe('Seq Scan');
    expect(node['Actual Rows']).toBeLessThanOrEqual(20);
    expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
  }
});
