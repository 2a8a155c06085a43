import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { SYSTEM } from '#kit/identity.ts';
import { type NewEvent, recordAlone } from '#log/events/record.ts';
import { openTestApp } from '#test/app.ts';
import { addPersonWithRole, organizationOf } from '#test/people.ts';
import { notify } from './notify.ts';

const source = { type: 'system' as const, uuid: randomUUID() };
const system = { actor: SYSTEM, subject: source, source };

test.for([
  [
    'the database refuses',
    { ticket_id: 'no such id', label: 'REQ-1', comment: 'Hello' },
    'request.commented',
  ],
  ['the program cannot read', { task_id: randomUUID(), will_retry: false }, 'task.failed'],
] as const)('leaves out an event that %s, and goes on with the next ones', async ([, payload, type]) => {
  const service = await openTestApp();
  onTestFinished(() => service.close());
  const { db } = service.database;
  const { orgId } = await organizationOf(service);
  const lines: { event?: string; type?: string }[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => lines.push(JSON.parse(line)) });
  const read = () => notify(within(db, orgId), logger, { canEmail: false, expiryDays: 30 });
  const { external_uuid } = await addPersonWithRole(service, 'person@acme.example', 'member');
  await read();

  const changed = (): NewEvent => ({
    type: 'password.changed',
    ...system,
    subject: { type: 'platform_user', uuid: external_uuid },
    payload: { email: 'person@acme.example', by_link: false } as never,
  });
  const broken = { type, ...system, payload } as unknown as NewEvent;
  await recordAlone(within(db, orgId), [changed(), broken, changed()]);
  await expect
    .poll(async () => {
      await read();
      const { body } = await service.call(
        'GET',
        `/api/notifications/deliveries/?user=${external_uuid}&medium=inbox`,
      );
      return body.results.map(({ kind }: { kind: string }) => kind);
    })
    .toEqual(['password_changed', 'password_changed']);
  expect(lines).toMatchObject([{ type }]);
});
