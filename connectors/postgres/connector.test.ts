import { fileURLToPath } from 'node:url';
import { silent } from '@gatehouse/connector';
import { asTable, runConformance } from '@gatehouse/connector/conformance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixture } from './conformance.ts';
import { connector } from './connector.ts';
import { listAccounts, type Roles, readAccount } from './roles.ts';

let stage: Awaited<ReturnType<typeof fixture.start>>;
beforeAll(async () => {
  stage = await fixture.start();
});
afterAll(() => stage?.stop());

test('conforms on a real PostgreSQL server', { tags: ['long'], timeout: 180_000 }, async () => {
  const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
  const findings = await runConformance({ connector, file, stage, writing: true });
  expect(
    findings.filter(({ outcome }) => outcome !== 'passed').map(({ id, detail }) => `${id}: ${detail}`),
    asTable(findings),
  ).toEqual(['read.missing-memberships: the fixture has no silence()']);
});

test('reports what PostgreSQL knows of a role, and no last sign-in, which it does not', async () => {
  const settings = { marker: 'gatehouse_users', ...stage.settings };
  const roles: Roles = await connector.connect(settings, {
    signal: new AbortController().signal,
    log: silent,
  });
  try {
    await roles.pool.query(`
      create role report_reader login valid until '2031-01-02 03:04:05+02' in role gatehouse_users;
      create role report_writer createrole valid until 'infinity' in role gatehouse_users;
      comment on role report_writer is 'reports@acme.example'`);
    const pages = await Array.fromAsync(listAccounts(roles));
    const accounts = pages.flatMap(({ records }) => records);
    const named = (name: string) => accounts.find(({ username }) => username === name);
    const none = {
      superuser: false,
      create_databases: false,
      create_roles: false,
      replication: false,
      bypass_row_security: false,
      valid_until: null,
    };
    const fields = {
      id: expect.stringMatching(/^\d+$/),
      memberships: { role: [] },
      assignments: { seat: [] },
    };
    expect(named('report_reader')).toEqual({
      ...fields,
      username: 'report_reader',
      email: null,
      status: 'active',
      attributes: { ...none, valid_until: '2031-01-02T01:04:05Z' },
    });
    expect(named('report_writer')).toEqual({
      ...fields,
      username: 'report_writer',
      email: 'reports@acme.example',
      status: 'suspended',
      attributes: { ...none, create_roles: true },
    });
    expect(named('person_1')?.attributes).toEqual(none);
    expect(await readAccount(roles, named('report_reader')?.id ?? '')).toEqual(named('report_reader'));
  } finally {
    await roles.pool.end();
  }
}, 180_000);
