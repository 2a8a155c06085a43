// @module-tag engine

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { canonicalOf } from '#test/canonical.ts';
import { newOrganization, openTestLog } from '#test/event-log.ts';
import { jsonArray, jsonObject } from './json-facts.ts';
import { actorText, type NewEvent, recordEvents, recordEventsFrom } from './record.ts';

const { database, close } = await openTestLog();
afterAll(close);

const policy = randomUUID();
const actor = { type: 'user', uuid: null, user_agent: '100 %s "%%"' } as const;

const record = (org: string, events: NewEvent[]) =>
  transaction(within(database.db, org), (tx) => recordEvents(tx, events));

const created = (definition: object, name = 'x'): NewEvent => ({
  type: 'policy.created',
  actor,
  subject: { type: 'system', uuid: policy },
  source: { type: 'api', uuid: null },
  payload: { policy_id: policy, name, definition },
});

/** The fields of a nested object that a set-based writer makes from columns. Some need no value. */
interface Row {
  text: string;
  maybe: string | null;
  number: number;
  flag: boolean;
  texts: string[];
}

/** Records rows as a set-based writer does. Their nested object is left out if `maybe` is null. */
const recordRows = (org: string, rows: Row[]) =>
  transaction(within(database.db, org), (tx) =>
    recordEventsFrom(
      tx,
      sql`
        select 'policy.created' as event_type, now() as occurred_at, ${actorText(actor)}::text as actor,
          'system' as subject_type, ${policy}::uuid as subject_uuid, 'api' as source_type, null::uuid as source_uuid,
          ${jsonObject(
            {
              text: sql`r.text`,
              maybe: sql`r.maybe`,
              number: sql`r.number`,
              flag: sql`r.flag`,
              texts: sql`array(select json_array_elements_text(r.texts::json))`,
            },
            {
              nested: sql`case when r.maybe is not null then ${jsonObject({ b: sql`r.text`, é: sql`r.maybe`, ' "': sql`null::text` })} end`,
              list: jsonArray([
                sql`case when r.flag then ${jsonObject({ a: sql`r.text` })} end`,
                jsonObject({ z: sql`r.number` }),
              ]),
            },
          )} as payload
        from unnest(${rows.map((row) => row.text)}::text[], ${rows.map((row) => row.maybe)}::text[],
          ${rows.map((row) => row.number)}::integer[], ${rows.map((row) => row.flag)}::boolean[],
          ${rows.map((row) => JSON.stringify(row.texts))}::text[]) with ordinality as r (text, maybe, number, flag, texts, i)
        order by r.i`,
    ),
  );

const payloadOf = ({ text, maybe, number, flag, texts }: Row) => ({
  text,
  maybe,
  number,
  flag,
  texts,
  ...(maybe === null ? {} : { nested: { b: text, é: maybe, ' "': null } }),
  list: [...(flag ? [{ a: text }] : []), { z: number }],
});

async function bodiesOf(org: string): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from event where org_id = ${org} order by position`.execute(database.db);
  return rows.map(({ body }) => body);
}

const text = fc.string({ unit: 'binary' });
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(true, false, null, -0, 1e21, 1e23, 1e-7, 1.5, 2 ** 53, 2 ** 54 + 2, 5e-324, 0.1 + 0.2),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
}));

test('the text of an event is canonical JSON of what was recorded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 20 }), async (definitions) => {
      const org = await newOrganization(database);
      await record(
        org,
        definitions.map((definition) => created(definition)),
      );

      const bodies = await bodiesOf(org);

      const events = bodies.map((body) => JSON.parse(body));
      expect(bodies).toEqual(events.map(canonicalOf));
      expect(events.map(({ payload }) => canonicalOf(payload.definition))).toEqual(
        definitions.map(canonicalOf),
      );
    }),
    { numRuns: 12 },
  );
});

// PostgreSQL holds no NUL, so a column cannot have one.
const stored = text.map((any) => any.replaceAll('\0', '\u0001'));
const row = fc.record<Row>({
  text: stored,
  maybe: fc.option(stored),
  number: fc.integer(),
  flag: fc.boolean(),
  texts: fc.array(stored, { maxLength: 3 }),
});

test('so is the text of an event from SQL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const org = await newOrganization(database);
      await recordRows(org, rows);

      const bodies = await bodiesOf(org);

      const events = bodies.map((body) => JSON.parse(body));
      expect(bodies).toEqual(events.map(canonicalOf));
      expect(events.map(({ payload }) => payload)).toEqual(rows.map(payloadOf));
    }),
    { numRuns: 12 },
  );
});

test('sorts names by their UTF-16 code units', async () => {
  const org = await newOrganization(database);
  const names = [
    '\u{1F511}',
    '\uE000',
    '\uFFFF',
    '\u{10FFFF}',
    'é',
    'z',
    'aa',
    'b',
    '',
    'A',
    '\uD7FF',
    '"',
    '\\',
  ];
  await record(org, [created(Object.fromEntries(names.map((name, at) => [name, at])))]);

  const [body = ''] = await bodiesOf(org);

  expect(body).toBe(canonicalOf(JSON.parse(body)));
  expect(body.indexOf('\u{1F511}')).toBeLessThan(body.indexOf('\uE000'));
});

test('half a surrogate pair becomes U+FFFD', async () => {
  const org = await newOrganization(database);
  await record(org, [created({ '\uD800': 1 }, 'b\uDC00')]);

  const [body = ''] = await bodiesOf(org);

  expect(JSON.parse(body).payload).toMatchObject({ name: 'b\uFFFD', definition: { '\uFFFD': 1 } });
});

test('names are sorted as they are written, and none is written twice', async () => {
  const org = await newOrganization(database);
  await record(org, [created({ '\uD800': 1, '\uE000': 2, '\uDC00': 3 })]);

  const [body = ''] = await bodiesOf(org);

  expect(body).toContain('"definition":{"\uE000":2,"\uFFFD":3}');
  expect(body).toBe(canonicalOf(JSON.parse(body)));
});

test.each(['actor', 'payload', 'source_type', 'subject_type'])(
  'refuses an event from SQL without its %s',
  async (missing) => {
    const org = await newOrganization(database);
    const event = sql`
    select 'policy.created' as event_type, now() as occurred_at, ${actorText(actor)}::text as actor, 'system' as subject_type,
      ${policy}::uuid as subject_uuid, 'api' as source_type, null::uuid as source_uuid, '{}' as payload`;
    const columns = [
      'event_type',
      'occurred_at',
      'actor',
      'subject_type',
      'subject_uuid',
      'source_type',
      'source_uuid',
      'payload',
    ].map((name) => (name === missing ? sql`null::text as ${sql.ref(name)}` : sql.ref(name)));
    const recorded = transaction(within(database.db, org), (tx) =>
      recordEventsFrom(tx, sql`select ${sql.join(columns)} from (${event}) given`),
    );

    await expect(recorded).rejects.toThrow('null value in column "body"');
  },
);
