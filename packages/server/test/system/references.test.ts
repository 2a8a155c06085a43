// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeAccounts } from '#inventory/records/accounts/correlation.ts';
import { beginTaskChange } from '#inventory/records/history/change.ts';
import type { Column, Table } from '#kit/database/references.ts';
import { type OrgDb, transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { tablesOf } from '#references.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { insertNaming, type NamingRow } from '../naming-rows.ts';
import { organizationOf } from '../people.ts';

let service: TestApp;
let db: OrgDb;
beforeAll(async () => {
  service = await openTestApp({ own: true });
  db = within(service.database.db, (await organizationOf(service)).orgId);
});
afterAll(() => service.close());

/** Returns the word of a declaration. Undefined: the column does not name such a thing. */
type Said = (column: Column) => string | undefined;

const byRule = (word: string) => word.startsWith('by ');

/** Makes rows that name `who` in all columns with such a word, except for those that a rule decides. */
const nameEverywhere = (who: string, said: Said, skipped: readonly string[] = []): Promise<NamingRow[]> =>
  nameWhere(who, said, (word) => !byRule(word) && !skipped.includes(word));

async function nameWhere(
  who: string,
  said: Said,
  isWanted: (word: string, place: string) => boolean,
): Promise<NamingRow[]> {
  const rows: NamingRow[] = [];
  for (const [name, table] of Object.entries(tablesOf())) {
    const columns = Object.keys(table.columns).filter((column) => {
      const word = said(table.columns[column] as Column);
      // The thing itself exists already.
      return column !== 'id' && word !== undefined && isWanted(word, `${name}.${column}`);
    });
    // A pair is not of one person twice.
    const together = name === 'duplicate_dismissal' ? columns.map((column) => [column]) : [columns];
    for (const some of together.filter(({ length }) => length > 0))
      rows.push(...(await insertNaming(db, [name, table], some, who)));
  }
  return rows;
}

const columnsWith = ({ columns }: Table, is: (column: Column) => boolean) =>
  Object.keys(columns).filter((column) => is(columns[column] as Column));

/** Returns what is in the named columns, as `table.column`, and `gone` for rows that no longer exist. */
async function outcomesOf(rows: NamingRow[]): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  for (const { table, isOpen, columns, find } of rows) {
    const row = await find();
    for (const column of columns)
      outcomes.set(placeOf(table, column, isOpen), row === undefined ? 'gone' : JSON.stringify(row[column]));
  }
  return outcomes;
}

const placeOf = (table: string, column: string, isOpen: boolean) =>
  `${table}.${column}${tablesOf()[table]?.open === undefined ? '' : isOpen ? ' (open)' : ' (closed)'}`;

/** Returns the declared outcomes in the same form. A row that goes is gone for all its columns. */
function expectedOf(
  rows: NamingRow[],
  said: Said,
  textOf: (word: string, isOpen: boolean, json: string) => string,
) {
  const expected = new Map<string, string>();
  for (const { table, isOpen, columns } of rows) {
    const declared = tablesOf()[table] as Table;
    const words = columns.map((column) => said(declared.columns[column] as Column) as string);
    for (const [i, column] of columns.entries()) {
      const { holds } = declared.columns[column] as Column;
      const isGone = words.some((word) => word === 'goes' || word === 'goes by key');
      expected.set(
        placeOf(table, column, isOpen),
        isGone ? 'gone' : textOf(words[i] as string, isOpen, holds),
      );
    }
  }
  return expected;
}

const text = (holds: string, who: string) => {
  return JSON.stringify(
    holds === 'id' ? who : holds === 'ids' ? [who] : [{ approvers: [who], require: 'any' }],
  );
};

/** Compares JSON by its content. */
const sorted = (outcomes: Map<string, string>) =>
  [...outcomes].map(([place, outcome]) => [place, outcome === 'gone' ? outcome : JSON.parse(outcome)]).sort();

const person = async (name: string): Promise<string> =>
  (await service.call('POST', '/api/users/', { email: `${name}@acme.example` })).body.external_uuid;

test('a merge does to each column what is declared', async () => {
  const [from, into] = [await person('from'), await person('into')];
  const said: Said = (column) => column.person?.merged;
  const rows = await nameEverywhere(from, said);

  const { status, body } = await service.call('POST', `/api/users/${into}/merge/`, { from });

  expect([status, body.moved]).toEqual([
    200,
    expect.objectContaining({
      connection_requests: 1,
      requests: 1,
      owned_accounts: 1,
      tasks: 1,
      fulfilled_apps: 1,
      fulfillment_tasks: 1,
    }),
  ]);
  expect(sorted(await outcomesOf(rows))).toEqual(
    sorted(
      expectedOf(rows, said, (word, isOpen, holds) => text(holds, word === 'moves' && isOpen ? into : from)),
    ),
  );
});

test('a merge keeps one row where the person who remains has one already', async () => {
  const [from, into] = [await person('both.from'), await person('both.into')];
  const [shared, other] = [randomUUID(), randomUUID()];
  for (const [app, member] of [
    [shared, from],
    [shared, into],
    [other, from],
  ])
    await sql`
      insert into fulfiller (org_id, app_id, kind, member_id) values (${db.orgId}, ${app}, 'person', ${member})`.execute(
      db,
    );

  const { body } = await service.call('POST', `/api/users/${into}/merge/`, { from });

  expect(body.moved).toMatchObject({ fulfilled_apps: 2 });
  const { rows } = await sql<{ app_id: string; member_id: string }>`
    select app_id, member_id from fulfiller
    where org_id = ${db.orgId} and app_id = any(${[shared, other]}::uuid[])`.execute(db);
  expect(rows.map(({ app_id, member_id }) => `${app_id} ${member_id}`).sort()).toEqual(
    [`${shared} ${into}`, `${other} ${into}`].sort(),
  );
});

test('the deletion of a person does to each column what is declared', async () => {
  const gone = await person('gone');
  const said: Said = (column) => column.person?.deleted;
  const remove = async () => (await service.call('DELETE', `/api/users/${gone}/`)).status;

  for (const [name, table] of Object.entries(tablesOf()))
    for (const column of columnsWith(table, (one) => /^refuses|^releases/.test(said(one) ?? ''))) {
      const rows = await insertNaming(db, [name, table], [column], gone);
      // Of a column that is released, the open row must not refuse.
      if (table.columns[column]?.person?.deleted === 'releases') await rows[0]?.remove();
      expect([name, column, await remove()]).toEqual([name, column, 409]);
      for (const row of rows) await row.remove();
    }

  const rows = await nameEverywhere(gone, said, ['refuses', 'refuses by key', 'releases']);
  const [released, decided] = await insertNaming(
    db,
    ['review_item', tablesOf().review_item as Table],
    ['escalated_to'],
    gone,
  );
  await decided?.remove();

  expect(await remove()).toBe(204);
  expect(await released?.find()).toMatchObject({ escalated_to: null });
  expect(sorted(await outcomesOf(rows))).toEqual(
    sorted(expectedOf(rows, said, (word, _, holds) => (word === 'clears' ? 'null' : text(holds, gone)))),
  );
});

test('rules leave no column with a person who was merged or deleted', async () => {
  // The first are derived from people, and the second need an open cycle: other tests have them.
  const elsewhere = ['shared_value.user_ids', 'review_item.user_id', 'review_item.reviewers'];
  const [from, into, gone] = [
    await person('ruled.from'),
    await person('ruled.into'),
    await person('ruled.gone'),
  ];
  const merged = await nameWhere(
    from,
    (column) => column.person?.merged,
    // Keys are revoked instead.
    (word, place) =>
      byRule(word) && ![...elsewhere, 'review_item.escalated_to', 'api_key.user_id'].includes(place),
  );
  const deleted = await nameWhere(
    gone,
    (column) => column.person?.deleted,
    // The last one refuses.
    (word, place) => byRule(word) && ![...elsewhere, 'platform_user.merged_into'].includes(place),
  );

  expect((await service.call('POST', `/api/users/${into}/merge/`, { from })).status).toBe(200);
  expect((await service.call('DELETE', `/api/users/${gone}/`)).status).toBe(204);

  const left = [...(await outcomesOf([...merged, ...deleted]))];
  expect(left.length).toBeGreaterThan(10);
  expect(left.filter(([, outcome]) => outcome.includes(from) || outcome.includes(gone))).toEqual([]);
});

test('a merge of accounts does to each column what is declared', async () => {
  const [kept, duplicate] = ['0198f3c4-0000-7000-8000-000000000001', '0198f3c4-0000-7000-8000-000000000002'];
  for (const one of [kept, duplicate])
    await insertNaming(db, ['account', tablesOf().account as Table], ['id'], one);
  const said: Said = (column) => column.account?.merged;
  const rows = await nameEverywhere(duplicate, said);

  await transaction(db, async (tx) => {
    await mergeAccounts(tx, await beginTaskChange(tx), [{ account_id: kept, duplicate_id: duplicate }]);
  });

  expect(sorted(await outcomesOf(rows))).toEqual(
    sorted(expectedOf(rows, said, (word, _, holds) => text(holds, word === 'moves' ? kept : duplicate))),
  );
});

test('archiving an app does to each column what is declared', async () => {
  const { id } = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body;
  const said: Said = (column) => column.app?.archived;
  const rows = await nameEverywhere(id, said);

  expect((await service.call('DELETE', `/api/apps/${id}/`)).status).toBe(204);

  expect(sorted(await outcomesOf(rows))).toEqual(
    sorted(expectedOf(rows, said, (_, __, holds) => text(holds, id))),
  );
});
