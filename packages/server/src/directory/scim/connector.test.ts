// @module-tag long
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { asTable, runConformance, type Stage } from '@gatehouse/connector/conformance';
import { connector } from '@gatehouse/connector-scim';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { newUser, openScim } from '#test/scim.ts';

/** Our SCIM connector is a client of SCIM servers. Here it manages the people of Gatehouse, as if that were an app. */
let service: TestApp;
let stage: Stage;
beforeAll(async () => {
  service = await openTestApp();
  const { scim, key } = await openScim(service);
  const people: string[] = [];
  for (let n = 0; n < 120; n++) people.push((await scim('POST', '/Users', newUser())).body.id);
  const groups: string[] = [];
  for (const displayName of ['Red', 'Blue']) {
    const members = people.slice(0, 3).map((value) => ({ value }));
    groups.push((await scim('POST', '/Groups', { displayName, members })).body.id);
  }
  await service.app.http.ready();
  let isDown = false;
  const server = createServer((request, response) => {
    if (isDown) response.writeHead(503).end();
    else service.app.http.routing(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/org/${service.org}/scim/v2`;
  const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;
  stage = {
    settings: { url, token: key, deliverTo: 'cat' },
    newAccount: (n) => ({
      id: `ours-${n}`,
      username: `new${n}`,
      email: `new${n}@acme.example`,
      first_name: 'New',
      last_name: `N${n}`,
    }),
    grants: groups.map((id) => ({ slug: 'group', ref: { id } })),
    // The API of Gatehouse, which SCIM has no part in.
    witness: {
      exists: async (id) => Object.keys((await person(id)).sources ?? {}).length > 0,
      suspended: async (id) => (await person(id)).status === 'deactivated',
      holds: async (id, _slug, ref) =>
        ((await person(id)).groups ?? []).some((group: { id: string }) => group.id === ref),
    },
    async outage() {
      isDown = true;
      return async () => {
        isDown = false;
      };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
});
afterAll(async () => {
  await stage.stop();
  await service.close();
});

test('our SCIM connector conforms on our SCIM server', async () => {
  const file = fileURLToPath(new URL('../../../../../connectors/scim/connector.ts', import.meta.url));
  const findings = await runConformance({ connector, file, stage, writing: true });
  const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
  expect(ids('failed'), asTable(findings)).toEqual([]);
  // No scope can only read, there are no passwords, and the server does not hide a part of its data.
  expect(ids('skipped').sort()).toEqual([
    'read.changed-while-read',
    'read.missing-memberships',
    'read.missing-status',
    'read.missing-tail',
    'read.repeated-records',
    'write.reset-password',
    'write.weak-credentials',
  ]);
}, 300_000);
