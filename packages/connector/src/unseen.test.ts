import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Rehearsal, rehearse } from './conformance/rehearsal.ts';
import { type Connector, defineConnector, type ListContext, typesOf } from './define.ts';
import { runSync } from './sync.ts';
import type { Unseen } from './unseen.ts';
import { checkedUnseen } from './unseen-entries.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const connectorOf = (report: (context: ListContext) => void, names = ['Team']): Connector =>
  defineConnector({
    ...{ name: 'sample', version: '1.0.0', config: {}, connect: () => null },
    groups: {
      team: {
        name: 'Teams',
        *list(_, context) {
          report(context);
          yield* names.map((name, n) => ({ id: `t${n}`, name }));
        },
      },
    },
    accounts: { user: { name: 'Users', list: () => [{ id: 'u', username: 'u' }] } },
  });

async function synced(connector: Connector, work: (rehearsal: Rehearsal) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unseen-'));
  folders.push(folder);
  const stage = { settings: {}, stop: async () => {} };
  await rehearse({ connector, file: '', stage, writing: false, folder }, [], work);
}

/** The body of the completion. */
const told = ({ service, app }: Rehearsal) =>
  [...service.world.find(app).sessions.values()].map(({ unseen }) => unseen).at(-1);

test('a completion has what the lists do not show: the last count of each slug, id and rule', async () => {
  const connector = connectorOf(({ unseen }) => {
    unseen({ slug: 'team', id: 't0', rule: 'foreign', count: 9 });
    unseen({ slug: 'team', id: 't0', rule: 'foreign', count: 2 });
    unseen({ slug: 'team', id: 't0', rule: 'unreadable', count: 1 });
    unseen({ slug: 'team', id: 't1', rule: 'class', count: 4 });
    unseen({ slug: 'team', id: 't1', rule: 'class', count: 0 });
    unseen({ slug: 'user', rule: 'range', count: 3 });
  });
  await synced(connector, async (rehearsal) => {
    const result = await rehearsal.sync();
    expect(result.unseen).toEqual([
      { slug: 'team', type: 'group', rule: 'foreign', records: 0, members: 2, of: 1 },
      { slug: 'team', type: 'group', rule: 'unreadable', records: 0, members: 1, of: 1 },
      { slug: 'user', type: 'account', rule: 'range', records: 3, members: 0, of: 0 },
    ]);
    expect(told(rehearsal)).toEqual([
      { slug: 'team', id: 't0', rule: 'foreign', count: 2 },
      { slug: 'team', id: 't0', rule: 'unreadable', count: 1 },
      { slug: 'user', id: null, rule: 'range', count: 3 },
    ]);
  });
});

test('a later run begins without them, and one that sees everything sends no body', async () => {
  let count = 2;
  const connector = connectorOf(({ unseen }) => unseen({ slug: 'team', id: 't0', rule: 'foreign', count }));
  await synced(connector, async (rehearsal) => {
    await rehearsal.sync();
    count = 0;
    expect((await rehearsal.sync()).unseen).toEqual([]);
    expect(told(rehearsal)).toBeUndefined();
  });
});

test('a run that resumes keeps what the interrupted one collected', async () => {
  const asked: (string | undefined)[] = [];
  const connector = defineConnector({
    ...{ name: 'sample', version: '1.0.0', config: {}, connect: () => null },
    groups: {
      team: {
        name: 'Teams',
        *list(_, { from, unseen }) {
          asked.push(from);
          if (from === undefined) {
            unseen({ slug: 'team', id: 't1', rule: 'unreadable', count: 1 });
            yield { records: [{ id: 't1', name: 'One' }], next: '2' };
          }
          unseen({ slug: 'team', id: 't2', rule: 'unreadable', count: 5 });
          yield { records: [{ id: 't2', name: 'Two' }] };
        },
      },
    },
    accounts: { user: { name: 'Users', list: () => [{ id: 'u', username: 'u' }] } },
  });
  await synced(connector, async (rehearsal) => {
    const { service, run } = rehearsal;
    // The process is gone after the first page: the session stays open.
    await run(async (each) => {
      each.state.dropCheckpoint();
      const session = await each.service.startSync(each.app);
      const at = {
        ...{ session, version: '1.0.0', startedAt: Date.now(), done: [], slug: 'team', token: '2' },
      };
      const counts = { mark: 1, pushed: { team: 1 }, active: 0, refs: 0, fields: {}, problems: 0 };
      each.state.see('team', 't1', 0);
      each.state.setUnseen({ slug: 'team', id: 't1', rule: 'unreadable', count: 1 });
      await each.service.pushPage(each.app, session, 'team', [{ id: 't1', name: 'One' }]);
      each.state.saveCheckpoint({ ...at, ...counts });
    });
    await rehearsal.sync();
    expect(asked).toEqual(['2']);
    expect(told(rehearsal)).toEqual([
      { slug: 'team', id: 't1', rule: 'unreadable', count: 1 },
      { slug: 'team', id: 't2', rule: 'unreadable', count: 5 },
    ]);
    expect(service.calls.filter((call) => call.endsWith('/complete'))).toHaveLength(1);
  });
});

test.each<[Unseen, RegExp]>([
  [{ slug: 'nothing', rule: 'class', count: 1 }, /unknown slug 'nothing'/],
  [{ slug: 'team', rule: 'secret' as 'class', count: 1 }, /unknown rule 'secret'/],
  [{ slug: 'team', rule: 'class', count: 1.5 }, /count 1.5/],
  [{ slug: 'team', rule: 'class', count: -1 }, /count -1/],
  [{ slug: 'user', id: 'u', rule: 'class', count: 1 }, /an id of user, which has no members/],
  [{ slug: 'team', id: '', rule: 'class', count: 1 }, /a text of 1 to 512 characters/],
])('%j is refused, and the sync removes nothing', async (what, message) => {
  const connector = connectorOf(({ unseen }) => unseen(what));
  expect(() => checkedUnseen(typesOf(connector), what)).toThrow(message);
  await synced(connector, async (rehearsal) => {
    await expect(rehearsal.sync()).rejects.toMatchObject({
      exit: 5,
      message: expect.stringMatching(message),
    });
  });
});

test('more entries than the service takes are summed, except those of members that cannot be read', async () => {
  const connector = connectorOf(({ unseen }) => {
    for (let n = 0; n < 9000; n++) unseen({ slug: 'team', id: `t${n}`, rule: 'class', count: 2 });
    for (let n = 0; n < 2000; n++) unseen({ slug: 'team', id: `t${n}`, rule: 'unreadable', count: 1 });
  });
  await synced(connector, async (rehearsal) => {
    await rehearsal.sync();
    const sent = told(rehearsal) ?? [];
    expect(sent).toHaveLength(2001);
    expect(sent.filter(({ rule }) => rule === 'class')).toEqual([
      { slug: 'team', id: null, rule: 'class', count: 18_000 },
    ]);
  });
});

test('a sync with more groups of unreadable members than the service takes removes nothing', async () => {
  const connector = connectorOf(({ unseen }) => {
    for (let n = 0; n <= 10_000; n++) unseen({ slug: 'team', id: `t${n}`, rule: 'unreadable', count: 1 });
  });
  await synced(connector, async (rehearsal) => {
    await expect(rehearsal.sync()).rejects.toMatchObject({
      exit: 5,
      message: expect.stringMatching(
        /^more than 10000 groups have members that cannot be read, so nothing was/,
      ),
    });
    expect(rehearsal.service.calls.filter((call) => call.endsWith('/complete'))).toEqual([]);
  });
});

test('names of groups that look alike are shown once', async () => {
  const warnings: string[] = [];
  const names = ['Admins', 'admins', 'Ad\u200bmins', '\u0410dmins', 'Staff'];
  await synced(
    connectorOf(() => {}, names),
    async ({ run }) => {
      await run((each) =>
        runSync({ ...each, progress: { ...each.progress, warn: (line) => void warnings.push(line) } }),
      );
      expect(warnings).toEqual([
        "these names look alike and are different: team 'Admins' and 'Ad[U+200B]mins', team 'Admins' and '\u0410dmins'",
      ]);
    },
  );
});
