import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../test/app.ts';
import { fill, operationsOf } from '../test/operations.ts';
import { type Browser, openBrowser, PASSWORD, signInAs } from '../test/sign-in.ts';

/**
 * The roles that each operation admits for signed-in people (protocol 16). Auditors read everything and change nothing.
 * Members request access, make the decisions assigned to them, and see their own records; the features' own tests check
 * which records those are.
 */
const ALLOWED: Record<string, string> = {
  'owner admin auditor member': `
    GET /api/me/
    GET /api/organization/
    GET /api/tasks/
    GET /api/tasks/{task_id}/
    GET /api/tickets/
    GET /api/tickets/{ticket_id}/
    GET /api/tickets/{ticket_id}/context/
    GET /api/accounts/
    GET /api/accounts/{account_id}/
    GET /api/users/
    GET /api/users/{user_id}/
    GET /api/apps/
    GET /api/apps/{app_id}/
    GET /api/apps/{app_id}/resource-types/
    GET /api/apps/{app_id}/resources/
    GET /api/connection-requests/
    GET /api/reviews/cycles/
    GET /api/reviews/cycles/{cycle_id}/
    GET /api/reviews/cycles/{cycle_id}/items/`,
  owner: `
    POST /api/sign-in-providers/
    PATCH /api/sign-in-providers/{provider}/
    DELETE /api/sign-in-providers/{provider}/`,
  'owner admin member': `
    POST /api/tickets/
    POST /api/tickets/{ticket_id}/approve/
    POST /api/tickets/{ticket_id}/deny/
    POST /api/tickets/{ticket_id}/cancel/
    POST /api/connection-requests/
    POST /api/reviews/cycles/{cycle_id}/decisions/`,
  'owner admin auditor': `
    GET /api/overview/
    GET /api/sign-in-providers/
    GET /api/sign-in-providers/{provider}/
    GET /api/events/
    GET /api/events/{external_uuid}/
    GET /api/event-types/
    GET /api/apps/{app_id}/resources/{resource_id}/members/
    GET /api/apps/{app_id}/syncs/
    GET /api/reviews/
    GET /api/reviews/{review_id}/
    GET /api/reviews/{review_id}/cycles/
    GET /api/reviews/cycles/{cycle_id}/evidence/
    GET /api/policies/
    GET /api/policies/settings/
    GET /api/policies/{policy_id}/
    POST /api/policies/{policy_id}/preview/`,
};
const ADMINISTRATORS = 'owner admin';

const ROLES = ['owner', 'admin', 'auditor', 'member'] as const;
const UNKNOWN = '0199a000-0000-7000-8000-000000000001';

let service: TestApp;
const browsers = new Map<string, Browser>();
beforeAll(async () => {
  service = await openTestApp();
  const owner = openBrowser(service);
  await owner.call('POST', '/auth/sign-in/', { email: 'admin@acme.example', password: PASSWORD });
  browsers.set('owner', owner);
  for (const role of ROLES.slice(1)) {
    const person = (await service.call('POST', '/api/users/', { email: `the-${role}@acme.example`, role }))
      .body;
    browsers.set(role, await signInAs(service, person));
  }
});
afterAll(() => service.close());

test('admits exactly the roles of each operation, and names the role when it refuses', async () => {
  const allowed = new Map(
    Object.entries(ALLOWED).flatMap(([roles, operations]) =>
      operations.split('\n').map((operation) => [operation.trim(), roles] as const),
    ),
  );
  const expected: Record<string, string> = {};
  const found: Record<string, string> = {};
  for (const { method, path, takesBody } of await operationsOf(service)) {
    const letIn: string[] = [];
    for (const [role, { call }] of browsers) {
      const address = fill(path, () => UNKNOWN);
      const { status, body } = await call(method, address, takesBody ? {} : undefined);
      if (status !== 403) letIn.push(role);
      else expect(body.detail, `${role} ${method} ${path}`).toMatch(/role/);
    }
    found[`${method} ${path}`] = letIn.join(' ');
    expected[`${method} ${path}`] = allowed.get(`${method} ${path}`) ?? ADMINISTRATORS;
  }

  expect(found).toEqual(expected);
  expect([...allowed.keys()].filter((operation) => operation !== '' && !(operation in found))).toEqual([]);
});
