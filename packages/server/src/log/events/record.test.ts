// @module-tag engine

import { randomUUID } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { afterAll, describe, expect, test } from 'vitest';
import { transaction, within, withSavepoint } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import {
  type Envelope,
  named,
  namedChange,
  namesOf,
  newOrganization,
  openTestLog,
  storedNames,
} from '#test/event-log.ts';
import { catalog, TYPES_OF_CATALOG } from './catalog.ts';
import { jsonObject } from './json-facts.ts';
import { actorText, type NewEvent, recordEvents, recordEventsFrom } from './record.ts';

const { database, orgId, record, read, close } = await openTestLog();
afterAll(close);

interface Stored {
  position: number;
  ingested: string;
  body: Envelope;
}

async function stored(org: string): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select position, ingested_at::text as ingested, body::jsonb as body from event
    where org_id = ${org} order by position`.execute(database.db);
  return rows;
}

/** Records an event from SQL, as a set-based writer does. */
const rowsNamed = (names: string[]) => sql`
  select 'user.created' as event_type, null::timestamptz as occurred_at,
    ${actorText({ type: 'user', uuid: '0199a000-0000-7000-8000-00000000000a', ip: '10.1.2.3' })}::text as actor,
    'platform_user' as subject_type, '0199a000-0000-7000-8000-00000000000b'::uuid as subject_uuid,
    'sync' as source_type, null::uuid as source_uuid,
    ${jsonObject({ user_id: sql`'0199a000-0000-7000-8000-00000000000b'::text`, email: sql`name`, name: sql`name` })} as payload
  from unnest(${names}::text[]) with ordinality as given (name, i) order by i desc`;

test('positions are gapless and ingested_at grows strictly', async () => {
  const org = await newOrganization(database);
  await transaction(within(database.db, org), (tx) => recordEvents(tx, [named('a'), named('b'), named('c')]));
  await transaction(within(database.db, org), (tx) => recordEventsFrom(tx, rowsNamed(['e', 'd'])));
  await transaction(within(database.db, org), (tx) => recordEvents(tx, [named('f')]));

  const rows = await stored(org);

  expect(rows.map(({ body }) => body.payload.name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
  const moments = rows.map(({ ingested }) => ingested);
  expect(moments).toEqual([...new Set(moments)].sort());
});

test('a rolled back transaction leaves no event and no gap', async () => {
  const org = await newOrganization(database);
  const failed = transaction(within(database.db, org), async (tx) => {
    await recordEvents(tx, [named('lost')]);
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  await transaction(within(database.db, org), (tx) => recordEvents(tx, [named('kept')]));

  const rows = await stored(org);

  expect(rows.map(({ position, body }) => [position, body.payload.name])).toEqual([[1, 'kept']]);
});

test('several calls in one transaction record their events in the order of the calls', async () => {
  const org = await newOrganization(database);
  await transaction(within(database.db, org), async (tx) => {
    await recordEvents(tx, [named('a')]);
    await recordEvents(tx, [named('b'), namedChange('c')]);
    await recordEventsFrom(tx, rowsNamed(['e', 'd']));
    await recordEvents(tx, [named('f')]);
  });

  const rows = await stored(org);

  expect(rows.map(({ position, body }) => [position, body.payload.name])).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => [index + 1, name]),
  );
});

test('a rollback to a savepoint takes back the events recorded since, and no others', async () => {
  const org = await newOrganization(database);
  await transaction(within(database.db, org), async (tx) => {
    await recordEvents(tx, [named('before')]);
    const undone = withSavepoint(tx, async () => {
      await recordEvents(tx, [named('lost')]);
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await withSavepoint(tx, () => recordEvents(tx, [named('kept')]));
    await recordEvents(tx, [named('after')]);
  });

  const rows = await stored(org);

  expect(rows.map(({ position, body }) => [position, body.payload.name])).toEqual(
    ['before', 'kept', 'after'].map((name, index) => [index + 1, name]),
  );
});

test('an event that cannot be stored undoes its transaction, and its error says why', async () => {
  const org = await newOrganization(database);
  const recording = transaction(within(database.db, org), async (tx) => {
    await sql`update organization set name = 'Renamed' where id = ${org}`.execute(tx);
    await recordEvents(tx, [named('good'), named('bad', 'not a uuid')]);
  });

  await expect(recording).rejects.toThrow('invalid input syntax for type uuid');

  const { rows } = await sql`select from organization where id = ${org} and name = 'Renamed'`.execute(
    database.db,
  );
  expect(rows).toEqual([]);
  expect(await stored(org)).toEqual([]);
});

test.runIf(database.engine !== 'pglite')(
  'a transaction that goes on after it has recorded events does not hold up other writers',
  async () => {
    const org = within(database.db, await newOrganization(database));
    await transaction(org, async (tx) => {
      await recordEvents(tx, [named('second')]);
      await transaction(org, (other) => recordEvents(other, [named('first')]));
    });

    const rows = await stored(org.orgId);

    expect(rows.map(({ position, body }) => [position, body.payload.name])).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
  },
);

test('the envelope has exactly the fields of protocol 2.7', async () => {
  const user = randomUUID();
  const event: NewEvent = {
    type: 'session.login.failed',
    actor: { type: 'user', uuid: null, ip: '::ffff:192.0.2.7', user_agent: `"\\\u{1F511}${'x'.repeat(600)}` },
    subject: { type: 'platform_user', uuid: user },
    source: { type: 'user_action', uuid: null },
    payload: { identifier: 'ada@example.com', reason: 'wrong password', failures: 3 },
  };
  await record(event);

  const [envelope] = (await read({ limit: 1 })).events;

  expect(envelope).toEqual({
    event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event_type: 'session.login.failed',
    event_version: 1,
    category: 'authentication',
    severity: 'high',
    occurred_at: envelope?.ingested_at,
    ingested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    actor: {
      type: 'user',
      uuid: null,
      ip: '192.0.2.7',
      user_agent: `"\\\u{1F511}${'x'.repeat(600)}`.slice(0, 512),
    },
    subject: { type: 'platform_user', uuid: user },
    source: { type: 'user_action', uuid: null },
    payload: { identifier: 'ada@example.com', reason: 'wrong password', failures: 3 },
  });
  expect(Compile(catalog['session.login.failed'].payload).Check(envelope?.payload)).toBe(true);
});

test('an event from SQL has the same envelope', async () => {
  await transaction(within(database.db, orgId), (tx) => recordEventsFrom(tx, rowsNamed(['Zoë "Z"'])));

  const [envelope] = (await read({ limit: 1 })).events;

  expect(envelope).toMatchObject({
    event_type: 'user.created',
    category: 'user_lifecycle',
    severity: 'info',
    actor: { type: 'user', uuid: '0199a000-0000-7000-8000-00000000000a', ip: '10.1.2.3' },
    subject: { type: 'platform_user', uuid: '0199a000-0000-7000-8000-00000000000b' },
    source: { type: 'sync', uuid: null },
    payload: { name: 'Zoë "Z"' },
  });
  const { events } = await read({ actor_ip: '10.1.2.3', actor_uuid: '0199a000-0000-7000-8000-00000000000a' });
  expect(namesOf(events)).toEqual(['Zoë "Z"']);
});

describe('occurred_at', () => {
  const recorded = async (occurredAt: Date) => {
    await record({ ...named('timed'), occurredAt });
    return (await read({ limit: 1 })).events[0] as Envelope;
  };

  test('is the time that the writer gives', async () => {
    expect((await recorded(new Date('2020-02-03T04:05:06.789Z'))).occurred_at).toBe(
      '2020-02-03T04:05:06.789000Z',
    );
  });

  test('is never after ingested_at', async () => {
    const envelope = await recorded(new Date(Date.now() + 3_600_000));

    expect(envelope.occurred_at).toBe(envelope.ingested_at);
  });
});

test('recording nothing takes no position', async () => {
  const org = await newOrganization(database);
  await transaction(within(database.db, org), (tx) => recordEvents(tx, []));

  expect(await transaction(within(database.db, org), (tx) => recordEventsFrom(tx, rowsNamed([])))).toBe(0);
  await transaction(within(database.db, org), (tx) => recordEvents(tx, [named('first')]));
  expect((await stored(org)).map(({ position }) => position)).toEqual([1]);
});

test('recordEventsFrom returns the number of events', async () => {
  expect(
    await transaction(within(database.db, orgId), (tx) => recordEventsFrom(tx, rowsNamed(['x', 'y', 'z']))),
  ).toBe(3);
});

test('thousands of events from SQL keep their order', async () => {
  const org = await newOrganization(database);
  const names = Array.from({ length: 4500 }, (_, index) => String(index));
  await transaction(within(database.db, org), (tx) => recordEventsFrom(tx, rowsNamed(names.toReversed())));

  const rows = await stored(org);

  expect(rows.map(({ body }) => body.payload.name)).toEqual(names);
  expect(rows.map(({ position }) => position)).toEqual(names.map((_, index) => index + 1));
});

test('rejects a type that is not in the catalog, also from SQL', async () => {
  const unknown = sql`select 'made.up' as event_type, occurred_at, actor, subject_type, subject_uuid, source_type,
    source_uuid, payload from (${rowsNamed(['a'])}) rows`;

  await expect(
    transaction(within(database.db, orgId), (tx) => recordEventsFrom(tx, unknown)),
  ).rejects.toThrow(/null value/);
});

test('stores the two catalogs in separate tables, with one sequence of positions', async () => {
  const org = await newOrganization(database);
  await transaction(within(database.db, org), (tx) =>
    recordEvents(tx, [named('a'), namedChange('b'), named('c'), namedChange('d')]),
  );
  const types = Object.values(TYPES_OF_CATALOG).flat();
  const { rows: placed } = await sql<{ type: string }>`
    select type from unnest(${types}::text[]) type where is_contract_event(type)`.execute(database.db);
  const { rows: changes } = await sql<{ position: number }>`
    select position from event_configuration where org_id = ${org} order by position`.execute(database.db);

  expect((await stored(org)).map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  expect(changes.map(({ position }) => position)).toEqual([2, 4]);
  expect(placed.map(({ type }) => type).sort()).toEqual([...TYPES_OF_CATALOG.contract].sort());
});

test('the log is append-only', async () => {
  await record(named('eternal'), namedChange('also eternal'));

  for (const statement of [
    sql`update event_contract set body = '{}'`,
    sql`update event_configuration set body = '{}'`,
    sql`delete from event_contract`,
    sql`delete from event_configuration`,
    sql`truncate event_contract`,
    sql`truncate event_configuration`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toThrow('The event log is append-only.');
  }
});

test('organizations have separate events and positions', async () => {
  const [one, two] = [await newOrganization(database), await newOrganization(database)];
  await transaction(within(database.db, one), (tx) => recordEvents(tx, [named('one')]));
  await transaction(within(database.db, two), (tx) => recordEvents(tx, [named('two')]));

  expect(await storedNames(database, one)).toEqual(['one']);
  expect(namesOf((await read({}, two)).events)).toEqual(['two']);
  expect((await stored(two)).map(({ position }) => position)).toEqual([1]);
});

test('a payload, subject or source of another type does not compile', () => {
  const good = named('typed') as Extract<NewEvent, { type: 'user.created' }>;
  // @ts-expect-error: user.created has another payload
  const payload: NewEvent = { ...good, payload: { scopes: [] } };
  // @ts-expect-error: the subject of user.created is a person
  const subject: NewEvent = { ...good, subject: { type: 'app', uuid: randomUUID() } };
  // @ts-expect-error: the type does not exist
  const type: NewEvent = { ...good, type: 'user.exploded' };

  expect([payload, subject, type]).toHaveLength(3);
});
