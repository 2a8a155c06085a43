import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest, untilEnded } from '#test/sync.ts';
import { uploadsTo } from '#test/uploads.ts';
import { hiding } from '#test/workbooks.ts';
import { Order } from './order.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const lines = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => `u${first + n},u${first + n}@x.example\n`).join('');
const file = (...parts: string[]) => `id,email\n${parts.join('')}`;

describe('a file that looks cut off', () => {
  async function applied(text: string) {
    const upload = await uploadsTo(service, app).plan(text);
    expect(upload.remarks).toEqual([]);
    expect(await uploadsTo(service, app).apply(upload.upload_id)).toMatchObject({ status: 200 });
    await untilEnded(app, upload.sync_id);
  }

  test('says so, and is applied only with a confirmation', async () => {
    await applied(file(lines(1, 60)));
    const uploads = uploadsTo(service, app);

    const upload = await uploads.plan(file(lines(1, 45)));

    expect(upload).toMatchObject({
      status: 'planned',
      remarks: [{ code: 'cut_off', confirm: true, count: 15 }],
    });
    expect(await uploads.apply(upload.upload_id)).toMatchObject({
      status: 409,
      body: {
        detail:
          'The file has 15 accounts fewer than the last applied upload, all from its end, as if it was cut off. Applying it removes these accounts. Apply the upload with {"confirm": ["cut_off"]} if this is intended.',
      },
    });
    expect(await uploads.apply(upload.upload_id, { confirm: ['hidden_rows'] })).toMatchObject({
      status: 409,
    });
    expect(await uploads.apply(upload.upload_id, { confirm: ['cut_off'] })).toMatchObject({
      status: 200,
      body: { status: 'applied' },
    });
    await untilEnded(app, upload.sync_id);
    expect((await uploads.plan(file(lines(1, 45)))).remarks).toEqual([]);
  });

  test.each([
    ['whole', file(lines(1, 60)), 0],
    ['with new accounts at its end', file(lines(1, 62)), 0],
    ['without two accounts at its end', file(lines(1, 58)), 0],
    ['without three accounts at its end', file(lines(1, 57)), 3],
    ['without accounts in its middle and at its end', file(lines(1, 20), lines(22, 50)), 0],
    ['in another order', file(lines(31, 50), lines(1, 30)), 0],
    ['that ends within an id', file(lines(1, 40), 'u4x,u4@x.example\n'), 20],
  ])('is not one %s', async (_what, text, missing) => {
    await applied(file(lines(1, 60)));

    const { remarks } = await uploadsTo(service, app).plan(text);

    expect(remarks).toMatchObject(missing === 0 ? [] : [{ code: 'cut_off', count: missing }]);
  });

  test('is not taken for one without an earlier file', () => {
    const order = new Order();
    expect(order.missingTail(new Uint8Array())).toBe(0);
    order.add('1');
    expect(order.missingTail(new Uint8Array())).toBe(0);
  });
});

describe('what a workbook hides', () => {
  const workbook = () =>
    hiding([
      ['id', 'email', 'secret'],
      ['1', 'a@x.example', 'x'],
      ['2', 'b@x.example', 'y'],
      ['3', 'c@x.example', 'z'],
    ]);

  test('is said in the plan, and somebody has to choose what happens with hidden rows', async () => {
    const uploads = uploadsTo(service, app);
    const sent = await uploads.send(workbook());
    expect(sent.body.columns).toMatchObject([{ hidden: false }, { hidden: false }, { hidden: true }]);
    const columns = [...sent.body.suggestion.columns, { column: 'secret', field: 'attribute' }];

    const { body } = await uploads.check(sent.body.upload_id, { columns });

    expect(body).toMatchObject({
      status: 'planned',
      rows: 3,
      remarks: [
        { code: 'hidden_rows', confirm: true, count: 2 },
        { code: 'hidden_columns', confirm: false, names: ['secret'] },
      ],
    });
    expect(await uploads.apply(body.upload_id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/^2 hidden rows are imported .*"confirm": \["hidden_rows"\]/) },
    });
    expect((await uploads.apply(body.upload_id, { confirm: ['hidden_rows'] })).status).toBe(200);
  });

  test.each([
    ['import', 3, '2 hidden rows are imported like the others.'],
    ['leave_out', 1, '2 hidden rows are left out.'],
  ] as const)('is treated as the mapping says: %s', async (hidden_rows, rows, message) => {
    const uploads = uploadsTo(service, app);
    const upload = await uploads.plan(workbook(), { hidden_rows });
    expect(upload).toMatchObject({
      rows,
      remarks: [{ code: 'hidden_rows', confirm: false, count: 2, message }],
    });
    expect((await uploads.apply(upload.upload_id)).status).toBe(200);
    await untilEnded(app, upload.sync_id);
    expect((await uploads.send(workbook())).body.suggestion).not.toHaveProperty('hidden_rows');
  });

  test('is said for people, too, and hidden columns are not suggested as attributes', async () => {
    const uploads = uploadsTo(service);
    const sent = await uploads.send(
      hiding([
        ['email', 'department', 'salary'],
        ['h1@people.example', 'R&D', '1'],
        ['h2@people.example', 'R&D', '2'],
        ['h3@people.example', 'R&D', '3'],
      ]),
    );
    const id = sent.body.upload_id;
    expect(sent.body.suggestion.columns.map(({ column }: { column: string }) => column)).toEqual([
      'email',
      'department',
    ]);
    expect((await uploads.check(id)).body).toMatchObject({
      rows: 3,
      remarks: [{ code: 'hidden_rows', confirm: true, count: 2 }],
    });
    expect((await uploads.apply(id)).status).toBe(409);
    expect((await uploads.check(id, { hidden_rows: 'leave_out' })).body).toMatchObject({
      rows: 1,
      result: { created: 1 },
      remarks: [{ code: 'hidden_rows', confirm: false, count: 2 }],
    });
    expect(await uploads.apply(id)).toMatchObject({ status: 200, body: { result: { created: 1 } } });
  });
});
