// @module-tag long

import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import { sql } from '#kit/sql.ts';
import { createTestDatabase } from '#test/database.ts';
import { openReceiver } from '#test/receiver.ts';
import { type Service, startService } from '#test/service.ts';
import { setTimes } from '#test/time.ts';

// Each starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

async function call({ url, key }: Service, path: string, body: object) {
  const response = await fetch(`${url}/org/acme/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { external_uuid: string };
}

test.runIf(inject('prepared').engine === 'postgres')(
  'loses no event and repeats only the one whose reply was lost, however often nodes are killed',
  async () => {
    const { options, remove } = await createTestDatabase();
    onTestFinished(remove);
    let node = await startService({ database: options });
    const { key } = node;
    const database = await openDatabase(options);
    onTestFinished(() => database.close());
    const receiver = await openReceiver();
    await call(node, 'webhooks/', {
      name: 'Test',
      url: receiver.url,
      filters: { event_type: 'user.created' },
    });

    const people: string[] = [];
    const lost: string[] = [];
    for (let round = 0; round < 3; round++) {
      await sql`update webhook set enabled = false`.execute(database.db);
      for (let i = 0; i < 5; i++) {
        const { external_uuid } = await call(node, 'users/', { email: `p${round}-${i}@acme.example` });
        people.push(external_uuid);
      }
      // The receiver takes the third event of the round, and the node dies before it reads the reply.
      const died = new Promise<void>((resolve) => {
        let countdown = 3;
        receiver.replyWith((request, response) => {
          countdown -= 1;
          if (countdown !== 0) return response.end();
          lost.push(String(request.headers['webhook-id']));
          resolve(node.kill());
        });
      });
      await sql`update webhook set enabled = true`.execute(database.db);
      await died;
      receiver.replyWith((_, response) => response.end());
      // The claim of the dead node would end after 30 seconds.
      await setTimes(database.db, 'webhook', { claimed_until: 'now' });
      node = await startService({ database: options, key });
    }
    people.push((await call(node, 'users/', { email: 'last@acme.example' })).external_uuid);

    const delivered = () => receiver.received.map(({ message }) => message.data.subject.uuid);
    await eventually(() => new Set(delivered()).size).toBe(people.length);
    await node.stop();

    const ids = receiver.received.map(({ id }) => id);
    const once = receiver.received.filter(({ id }, i) => id !== ids[i - 1]);
    expect(once.map(({ message }) => message.data.subject.uuid)).toEqual(people);
    const repeated = ids.filter((id, i) => ids.indexOf(id) !== i);
    expect(repeated).toEqual(lost);
  },
);
