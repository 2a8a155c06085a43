import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../app.ts';
import { fill, operationsOf } from '../operations.ts';

/**
 * The operations that serve an API key for listed apps, because they show and change only these apps, or only what the
 * key itself has (D7, D8). Every other operation concerns the whole organization.
 */
const SERVED = `
  GET /api/me/
  GET /api/api-keys/
  POST /api/api-keys/
  DELETE /api/api-keys/{key_id}/
  GET /api/accounts/
  GET /api/accounts/{account_id}/
  PATCH /api/accounts/{account_id}/
  POST /api/accounts/{account_id}/correlate/
  GET /api/users/{user_id}/access/
  GET /api/history/access/
  GET /api/history/compare/
  GET /api/history/compare/counts/
  GET /api/tasks/
  POST /api/tasks/
  GET /api/tasks/{task_id}/
  POST /api/tasks/{task_id}/cancel/
  POST /api/tasks/{task_id}/retry/
  GET /api/catalog/
  GET /api/apps/{app_id}/approval/
  GET /api/tickets/
  POST /api/tickets/
  GET /api/tickets/{ticket_id}/
  GET /api/tickets/{ticket_id}/context/
  POST /api/tickets/{ticket_id}/approve/
  POST /api/tickets/{ticket_id}/deny/
  POST /api/tickets/{ticket_id}/cancel/
  POST /api/tickets/{ticket_id}/reassign/
  GET /api/tickets/{ticket_id}/comments/
  POST /api/tickets/{ticket_id}/comments/
  POST /api/tickets/{ticket_id}/request-information/
  POST /api/tickets/{ticket_id}/provide-information/
  GET /api/fulfillment/tasks/
  GET /api/fulfillment/tasks/{task_id}/
  POST /api/fulfillment/tasks/{task_id}/complete/
  POST /api/fulfillment/tasks/{task_id}/refuse/
  POST /api/fulfillment/tasks/{task_id}/reassign/
  POST /api/fulfillment/tasks/{task_id}/attachments/
  GET /api/fulfillment/tasks/{task_id}/attachments/{attachment_id}/
  GET /api/apps/{app_id}/fulfillment/
  GET /api/apps/
  GET /api/apps/{app_id}/
  PATCH /api/apps/{app_id}/
  DELETE /api/apps/{app_id}/
  POST /api/apps/{app_id}/disconnect/
  POST /api/apps/{app_id}/reconnect/
  GET /api/apps/{app_id}/resource-types/
  GET /api/apps/{app_id}/resources/
  GET /api/apps/{app_id}/resources/{resource_id}/members/
  GET /api/apps/{app_id}/license-trend/
  GET /api/syncs/recent/
  GET /api/apps/{app_id}/syncs/
  GET /api/apps/{app_id}/syncs/{sync_id}/
  GET /api/apps/{app_id}/syncs/{sync_id}/plan/
  POST /api/apps/{app_id}/uploads/
  GET /api/apps/{app_id}/uploads/sample/
  GET /api/apps/{app_id}/uploads/{upload_id}/
  DELETE /api/apps/{app_id}/uploads/{upload_id}/
  POST /api/apps/{app_id}/uploads/{upload_id}/read/
  POST /api/apps/{app_id}/uploads/{upload_id}/check/
  GET /api/apps/{app_id}/uploads/{upload_id}/problems/
  POST /api/apps/{app_id}/uploads/{upload_id}/apply/
  GET /api/connectors/
  GET /api/app-connectors/
  POST /api/connectors/check/
  POST /api/apps/{app_id}/connector/
  GET /api/apps/{app_id}/connector/
  PATCH /api/apps/{app_id}/connector/
  DELETE /api/apps/{app_id}/connector/
  POST /api/apps/{app_id}/connector/run/
  POST /api/apps/{app_id}/connector/test/
  POST /api/apps/{app_id}/connector/preview/
  GET /api/apps/{app_id}/connector/runs/
  GET /api/apps/{app_id}/connector/runs/{run_id}/
  POST /api/apps/{app_id}/connector/runs/{run_id}/cancel/`;

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

test('returns 403 to a key for listed apps for everything that concerns the whole organization', async () => {
  const { call } = service;
  const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  const scopes = ['bridge', 'events', 'read', 'govern'];
  const { key } = (await call('POST', '/api/api-keys/', { name: 'listed', scopes, apps: [app] })).body;
  const served: string[] = [];
  for (const { method, path, takesBody } of await operationsOf(service)) {
    if (path.startsWith('/api/v1/bridge/')) continue;
    const address = fill(path, (name) => (name === 'app_id' ? app : randomUUID()));
    const { status } = await call(method, address, takesBody ? {} : undefined, { key });
    if (status !== 403) served.push(`${method} ${path}`);
  }

  const expected = SERVED.split('\n').flatMap((line) => line.trim() || []);
  expect(served.sort()).toEqual(expected.sort());
});
