import { describe, expect, test } from 'vitest';
import type { Event } from './events-api.ts';
import { toOcsf } from './events-ocsf.ts';

const event = (event_type: string, payload: Record<string, unknown> = {}): Event => ({
  event_id: '0199a000-0000-4000-8000-000000000001',
  event_type,
  event_version: 1,
  category: 'authentication',
  severity: 'high',
  occurred_at: '2026-01-02T03:04:05.678901Z',
  ingested_at: '2026-01-02T03:04:06.000000Z',
  actor: { type: 'user', uuid: 'a', ip: '192.0.2.1', user_agent: 'curl' },
  subject: { type: 'platform_user', uuid: 's' },
  source: { type: 'api', uuid: null },
  payload,
});

test('maps the envelope to the base attributes', () => {
  expect(toOcsf(event('session.login.failed', { identifier: 'ada', email: 'ada@example.com' }))).toEqual({
    category_uid: 3,
    class_uid: 3002,
    activity_id: 1,
    type_uid: 300201,
    time: Date.parse('2026-01-02T03:04:05.678Z'),
    severity_id: 4,
    status_id: 2,
    metadata: {
      version: '1.4.0',
      uid: '0199a000-0000-4000-8000-000000000001',
      event_code: 'session.login.failed',
      log_version: '1',
      logged_time: Date.parse('2026-01-02T03:04:06Z'),
      product: { name: 'Gatehouse', vendor_name: 'Gatehouse' },
    },
    actor: { user: { type: 'user', uid: 'a' } },
    src_endpoint: { ip: '192.0.2.1' },
    http_request: { user_agent: 'curl' },
    user: { uid: 's', email_addr: 'ada@example.com' },
    unmapped: {
      category: 'authentication',
      subject: { type: 'platform_user', uuid: 's' },
      source: { type: 'api', uuid: null },
      payload: { identifier: 'ada', email: 'ada@example.com' },
    },
  });
});

describe('classes', () => {
  test.each([
    ['session.logout', 300202],
    ['api_key.used', 300201],
    ['account.provisioned', 300101],
    ['account.deprovisioned', 300106],
    ['account.group.added', 300603],
    ['account.group.removed', 300604],
    ['ticket.approved', 300501],
    ['app.created', 300401],
    ['app.sync.completed', 300403],
    ['task.failed', 300403],
    ['user.deleted', 300106],
    ['policy.created', 300401],
    ['policy.updated', 300403],
    ['provider.deleted', 300404],
    ['app_settings.changed', 300403],
    ['password.changed', 300103],
    ['factor.added', 300110],
    ['factor.removed', 300111],
    ['review.decided', 300599],
    ['organization.suspended', 300412],
  ])('%s is %i', (type, uid) => {
    expect(toOcsf(event(type))).toMatchObject({ type_uid: uid });
  });
});

test('maps a refused privileged call to a failed API activity', () => {
  const payload = { method: 'DELETE', route: '/api/policies/{policy_id}/', status: 403, reason: 'No.' };

  expect(toOcsf(event('privileged_call.refused', payload))).toMatchObject({
    category_uid: 6,
    class_uid: 6003,
    type_uid: 600304,
    status_id: 2,
    api: { operation: 'DELETE /api/policies/{policy_id}/', response: { code: 403, message: 'No.' } },
  });
});

test('names the access that a review decided about', () => {
  const payload = { kind: 'membership', resource: { slug: 'team', id: 'r', name: 'Red' }, email: 'ada@x' };

  expect(toOcsf(event('review.decided', payload))).toMatchObject({
    user: { email_addr: 'ada@x' },
    privileges: ['Red'],
  });
});

test('names the group and the app of a membership', () => {
  const payload = {
    group_id: 'g',
    group_name: 'Admins',
    app_id: 'p',
    app_name: 'Payroll',
    email: 'ada@example.com',
  };

  expect(toOcsf(event('account.group.added', payload))).toMatchObject({
    user: { uid: 's', email_addr: 'ada@example.com' },
    group: { uid: 'g', name: 'Admins' },
    resource: { uid: 'p', name: 'Payroll' },
  });
});
