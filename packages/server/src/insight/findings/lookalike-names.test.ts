import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { findingsOf } from '#test/findings.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { lookOf } from '../../../../protocol/src/look-alikes.ts';

let service: ReviewsTest;
let findings: ReturnType<typeof findingsOf>;
beforeAll(async () => {
  service = await openReviewsTest([record('first', 'first')]);
  findings = findingsOf(service);
});
afterAll(() => service.close());

const record = (id: string, username: string, more: object = {}) => ({
  ...{ id, username, email: `${id}@names.example` },
  ...more,
});
const KIND = 'kind=lookalike_names';
const idOf = async (name: string) => (await service.accountByEmail(`${name}@names.example`)).external_uuid;

/** Letters of Unicode 17, which PostgreSQL 18 does not have. */
const NEWER = /[\ua7ce-\ua7d5\ua7f1]/;
/** Letters that ASCII has more than once, such as the digit one and the capital I, their look-alikes, and spaces. */
const OF_ASCII = /[01I\u0399\u0406|`\s]/;

test('the database sees what TypeScript sees in each character beyond ASCII', async () => {
  const characters = Array.from({ length: 0xd800 - 0x80 }, (_, n) => String.fromCharCode(0x80 + n))
    .concat(Array.from({ length: 0x10000 - 0xe000 }, (_, n) => String.fromCharCode(0xe000 + n)))
    .filter((one) => !OF_ASCII.test(one.normalize('NFKC')) && !NEWER.test(one));
  const { rows } = await sql<{ one: string; look: string }>`
    select c.one, look_key(c.one) as look from unnest(${characters}::text[]) as c (one)`.execute(
    service.database.db,
  );
  const different = rows.filter(({ one, look }) => look !== lookOf(one).normalize('NFC'));
  expect(different.map(({ one, look }) => [one, look, lookOf(one)])).toEqual([]);
});

test('opens for a username with a letter of another script, until one of both is gone or renamed', async () => {
  const ada = record('ada', 'ada.admin');
  const other = record('other', 'ad\u0430.admin');
  await service.sync([ada, other, record('zoe', 'zo\u00eb'), record('zoe2', 'zoe')]);
  const query = `${KIND}&subject=${await idOf('other')}`;
  await findings.settled(query, ['open']);
  expect(await findings.list(KIND)).toMatchObject([
    {
      ...{ severity: 'medium', subject: { type: 'account' }, action: { operation: 'createTask' } },
      text: { values: { name: 'ad\u0430.admin', other: 'ada.admin' } },
    },
  ]);
  await findings.expectNothingMissed();
  await service.sync([ada, record('other', 'adam')]);
  await findings.settled(query, ['resolved']);
  await service.sync([ada, other]);
  await findings.settled(query, ['open']);
  await service.sync([other]);
  await findings.settled(query, ['resolved']);
  await service.sync([ada, other]);
  await findings.settled(query, ['open']);
  await service.sync([ada, record('other', 'ad\u0430.admin', { status: 'suspended' })]);
  await findings.settled(query, ['resolved']);
  await findings.expectNothingMissed();
});

test('sees a capital I of another script', async () => {
  await service.sync([record('cap', 'Ivan'), record('cap2', '\u0406van')]);
  await findings.settled(`${KIND}&subject=${await idOf('cap2')}`, ['open']);
});

test('is about the newer one of two names beyond ASCII, and not about one name in two forms', async () => {
  const ivan = record('ivan', '\u0430\u0434\u043c\u0438\u043d');
  await service.sync([ivan, record('form', 'mu\u0308ller')]);
  const twin = record('twin', 'a\u0434\u043c\u0438\u043d');
  await service.sync([ivan, twin, record('form', 'mu\u0308ller'), record('form2', 'm\u00fcller')]);
  await findings.settled(`${KIND}&subject=${await idOf('twin')}`, ['open']);
  expect(await findings.list(KIND)).toHaveLength(1);
  await findings.expectNothingMissed();
});
