import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Rehearsal, rehearse } from './conformance/rehearsal.ts';
import {
  type AccountRecord,
  type Connector,
  defineConnector,
  type GroupRecord,
  type ListContext,
} from './define.ts';
import { pushDelta } from './delta.ts';
import { runSync, type SyncOptions } from './sync.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** An application that lists its people by offset, two on a page. */
type App = {
  people: string[];
  teams: string[];
  inactive: Set<string>;
  /** Ids that `get` finds although no list has them. */
  unlisted: Set<string>;
  /** The step after a page of a list: its type, the place behind the page, and which reading of the list it is. */
  after: (type: string, at: number, reading: number) => void;
  readings: number;
  asked: string[];
};

const appOf = (...people: string[]): App => ({
  ...{ people, teams: ['t1', 't2', 't3', 't4'], inactive: new Set(), unlisted: new Set() },
  ...{ after: () => {}, readings: 0, asked: [] },
});

const remove = (list: string[], id: string) => void list.splice(list.indexOf(id), 1);

function connectorFor(app: App, { reads = true, shifts = true } = {}): Connector {
  const record = (id: string): AccountRecord<'team'> => ({
    ...{ id, username: id, status: app.inactive.has(id) ? 'inactive' : 'active' },
    memberships: { team: app.teams.slice(0, 1).map((team) => ({ id: team })) },
  });
  function* pages<R>(
    type: string,
    ids: string[],
    make: (id: string) => R,
    { mayShift }: ListContext,
  ): Generator<{ records: R[] }> {
    const reading = type === 'user' ? ++app.readings : 1;
    for (let at = 0; at < ids.length; at += 2) {
      if (at > 0 && shifts) mayShift();
      yield { records: ids.slice(at, at + 2).map(make) };
      app.after(type, at + 2, reading);
    }
  }
  return defineConnector({
    ...{ name: 'sample', version: '1.0.0', config: {}, connect: () => null },
    groups: {
      team: {
        name: 'Teams',
        list: (_, context) =>
          pages('team', app.teams, (id): GroupRecord => ({ id, name: `Team ${id}` }), context),
      },
    },
    accounts: {
      user: {
        name: 'Users',
        list: (_, context) => pages('user', app.people, record, context),
        ...(reads
          ? {
              async get(_: unknown, id: string) {
                app.asked.push(id);
                return app.people.includes(id) || app.unlisted.has(id) ? record(id) : null;
              },
            }
          : {}),
      },
    },
  });
}

/** Runs `work` with a service and a function that syncs. `users` are the accounts in the service. */
async function against(
  connector: Connector,
  work: (place: {
    sync: (options?: SyncOptions) => ReturnType<typeof runSync>;
    users: () => string[];
    rehearsal: Rehearsal;
    folder: string;
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-shifts-'));
  folders.push(folder);
  const stage = { settings: {}, stop: async () => {} };
  const subject = { connector, file: '', stage, writing: false, folder };
  await rehearse(subject, [], async (rehearsal) => {
    const { service, app, run } = rehearsal;
    await work({
      sync: (options = { guard: null }) => run((each) => runSync(each, options)),
      users: () => (service.world.inventory(app).user ?? []).map(({ id }) => id),
      rehearsal,
      folder,
    });
  });
}

/** Lets something happen once, after the first page of people in a reading. */
function onceAfterFirstPage(app: App, what: () => void, reading?: number): void {
  let isDone = false;
  app.after = (type, at, nth) => {
    if (type !== 'user' || at !== 2 || isDone || (reading !== undefined && nth !== reading)) return;
    isDone = true;
    what();
  };
}

describe('a list whose records move between pages', () => {
  test('keeps the record that a deletion moved to an earlier page', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      onceAfterFirstPage(app, () => remove(app.people, '1'));
      // 1 was there when its page was read. The next sync removes it.
      expect((await sync()).pushed).toMatchObject({ user: 4 });
      expect(users()).toEqual(['1', '2', '3', '4']);
      await sync();
      expect(users()).toEqual(['2', '3', '4']);
    });
  });

  test('abandons the sync if records cannot be read alone and the second reading lacks one', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app, { reads: false }), async ({ sync, users }) => {
      await sync();
      onceAfterFirstPage(app, () => remove(app.people, '1'));
      await expect(sync()).rejects.toMatchObject({
        exit: 5,
        message:
          "the list of user changes while it is read: read again, it lacked 1 record that it had before, for example '1'. Nothing was removed",
      });
      expect(users()).toEqual(['1', '2', '3', '4']);
      await sync();
      expect(users()).toEqual(['2', '3', '4']);
    });
  });

  test('removes what two readings lack, and pushes what only the second one has', async () => {
    const app = appOf('1', '2', '3', '4', '5');
    await against(connectorFor(app, { reads: false }), async ({ sync, users }) => {
      await sync();
      remove(app.people, '5');
      // 4 was used, and comes first now.
      onceAfterFirstPage(app, () => app.people.unshift(...app.people.splice(3, 1)));
      await sync();
      expect(users()).toEqual(['1', '2', '3', '4']);
    });
  });

  test('reads missing accounts alone, and the list once, if they are gone', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      expect([app.readings, app.asked]).toEqual([1, []]);
      remove(app.people, '3');
      await sync();
      expect([app.readings, app.asked, users()]).toEqual([2, ['3'], ['1', '2', '4']]);
    });
  });

  test('is read again instead if more than 100 are missing', async () => {
    const app = appOf(...Array.from({ length: 220 }, (_, n) => String(n).padStart(3, '0')));
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      app.people.splice(50, 101);
      await sync();
      expect([app.readings, app.asked, users().length]).toEqual([3, [], 119]);
    });
  });

  test('costs nothing if the connector says nothing of it', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app, { shifts: false }), async ({ sync, rehearsal: { service } }) => {
      await sync();
      remove(app.people, '3');
      await sync();
      expect([app.readings, app.asked]).toEqual([2, []]);
      expect(service.calls.filter((call) => /^GET .*\/apps\/[^/]+$/.test(call))).toEqual([]);
    });
  });

  test('is confirmed in a dry run, which changes nothing', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      onceAfterFirstPage(app, () => remove(app.people, '1'));
      expect(await sync({ dryRun: true })).toMatchObject({ pushed: { user: 4 }, problems: 0 });
      expect(users()).toEqual(['1', '2', '3', '4']);
    });
  });

  test('is confirmed for groups before accounts refer to them', async () => {
    const app = appOf('1', '2');
    await against(connectorFor(app), async ({ sync, rehearsal: { service, app: id } }) => {
      await sync();
      let isDone = false;
      app.after = (type) => {
        if (type !== 'team' || isDone) return;
        isDone = true;
        // t3 comes first now, and everybody is in it.
        app.teams.unshift(...app.teams.splice(2, 1));
      };
      await sync();
      expect(service.world.inventory(id).team).toHaveLength(4);
    });
  });

  test('is read again if another machine has synced the app since', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users, folder, rehearsal }) => {
      await sync();
      rmSync(join(folder, rehearsal.state), { recursive: true });
      // 4 was used, and comes first now.
      onceAfterFirstPage(app, () => app.people.unshift(...app.people.splice(3, 1)));
      await sync();
      expect([app.readings, users()]).toEqual([3, ['1', '2', '3', '4']]);
      await sync();
      expect(app.readings).toBe(4);
    });
  });

  test('is confirmed for an account that a task has created since', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users, rehearsal: { run } }) => {
      await sync();
      app.people.splice(2, 0, '5');
      await run((each) => pushDelta(each, { user: [{ id: '5', username: '5' }] }));
      // 5 moves to the first page, and no other account is missing.
      onceAfterFirstPage(app, () => remove(app.people, '1'));
      await sync();
      expect(users().sort()).toEqual(['1', '2', '3', '4', '5']);
    });
  });

  test('is confirmed for an account that an abandoned run has pushed since', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      app.people.splice(2, 0, '5');
      app.people.push('2');
      await expect(sync()).rejects.toThrow('1 record was skipped');
      app.people.pop();
      expect(users().sort()).toEqual(['1', '2', '3', '4', '5']);
      // 5 moves to the first page, and no other account is missing.
      onceAfterFirstPage(app, () => remove(app.people, '1'));
      await sync();
      expect(users().sort()).toEqual(['1', '2', '3', '4', '5']);
    });
  });

  test('reports nothing of the first reading that the second one shows', async () => {
    const app = appOf('1', '2', '3', '4');
    const connector = connectorFor(app);
    const { user } = connector.accounts;
    if (!user) throw new Error('no accounts');
    const counting: Connector = {
      ...connector,
      accounts: {
        user: {
          ...user,
          async *list(system, context) {
            const left = new Set(['1', '2', '3', '4']);
            for await (const page of user.list(system, context)) {
              for (const { id } of 'records' in page ? page.records : [page]) left.delete(id);
              yield page;
            }
            if (left.size > 0) context.unseen({ slug: 'team', id: 't1', rule: 'foreign', count: left.size });
          },
        },
      },
    };
    await against(counting, async ({ sync, users }) => {
      await sync();
      // 4 was used, and comes first now.
      onceAfterFirstPage(app, () => app.people.unshift(...app.people.splice(3, 1)));
      const { unseen } = await sync();
      expect([app.readings, unseen, users()]).toEqual([3, [], ['1', '2', '3', '4']]);
    });
  });

  test('is confirmed by a run that resumes in its last page', async () => {
    const app = appOf('1', '2', '3', '4');
    const connector = connectorFor(app);
    await against(connector, async ({ sync, users, rehearsal: { run } }) => {
      await sync();
      const asked: unknown[] = [];
      const resumable: Connector = {
        ...connector,
        accounts: {
          user: {
            ...connector.accounts.user,
            name: 'Users',
            list(_, { from, mayShift }) {
              asked.push(from);
              const page = (...ids: string[]) => ({ records: ids.map((id) => ({ id, username: id })) });
              // The second page was requested before the interruption. 3 has moved to the first one since.
              if (from === '2') return [page('4')];
              mayShift();
              return [{ ...page('1', '2'), next: '2' }, page('3', '4')];
            },
          },
        },
      };
      await run(async (each) => {
        const session = await each.service.startSync(each.app);
        const records = ['1', '2'].map((id) => ({ id, username: id }));
        await each.service.pushPage(each.app, session, 'user', records);
        for (const { id } of records) each.state.see('user', id, 0);
        each.state.saveCheckpoint({
          ...{ session, version: '1.0.0', startedAt: Date.now(), done: ['team'], slug: 'user', token: '2' },
          ...{ mark: 1, pushed: { team: 4, user: 2 }, active: 2, refs: 0, fields: {}, problems: 0 },
          shifts: ['user'],
        });
      });
      await run((each) => runSync({ ...each, connector: resumable }, { guard: null }));
      expect([asked, app.asked, users()]).toEqual([['2', undefined], ['3'], ['1', '2', '3', '4']]);
    });
  });

  test('may list a record twice because somebody joined, unless it does so again', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      onceAfterFirstPage(app, () => app.people.unshift('0'));
      await sync();
      expect(users()).toEqual(['0', '1', '2', '3', '4']);
      app.people.push('2');
      await expect(sync()).rejects.toThrow('1 record was skipped');
    });
  });

  test('keeps its order for the rule about missing ends', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => String(n).padStart(2, '0'));
    const app = appOf(...ids);
    await against(connectorFor(app, { reads: false }), async ({ sync, users }) => {
      await sync({});
      // 04 was used, and comes first for a moment.
      onceAfterFirstPage(app, () => app.people.unshift(...app.people.splice(4, 1)));
      await sync({});
      app.after = () => {};
      app.people.splice(15);
      await expect(sync({})).rejects.toThrow(/5 users fewer, all from the end of the list/);
      expect(users()).toEqual(ids);
    });
  });
});

describe('an account that can be read and is in no list', () => {
  test('is removed if two syncs find the same', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      remove(app.people, '3');
      app.unlisted.add('3');
      await expect(sync()).rejects.toThrow(
        /1 record that it lacks can be read alone, for example '3'\. If the next sync finds the same, .* Nothing was removed$/,
      );
      expect(users()).toEqual(['1', '2', '3', '4']);
      await sync();
      expect(users()).toEqual(['1', '2', '4']);
    });
  });

  test('is removed if it has no access', async () => {
    const app = appOf('1', '2', '3', '4');
    await against(connectorFor(app), async ({ sync, users }) => {
      await sync();
      remove(app.people, '3');
      app.unlisted.add('3');
      app.inactive.add('3');
      await sync();
      expect([app.readings, users()]).toEqual([3, ['1', '2', '4']]);
    });
  });
});
