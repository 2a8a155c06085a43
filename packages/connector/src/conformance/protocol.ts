import { isDeepStrictEqual } from 'node:util';
import { counted, wasOrWere } from '../counted.ts';
import { type Connector, typesOf } from '../define.ts';
import { reason } from '../errors.ts';
import { type Check, must, type Subject } from './check.ts';
import { startProcess } from './process.ts';
import { canonical, listAll } from './read.ts';
import { abandoned, callsOf, completed, type Rehearsal, rehearse, started } from './rehearsal.ts';
import type { Fault } from './service/fault.ts';

type Inventory = Record<string, unknown[]>;

/** An account that exists only in the service before the run. Only a completed sync may remove it. */
const stale = { id: 'stale-account', username: 'stale-account' };

function plantStale({ service, app }: Rehearsal, { connector }: Subject): void {
  const { world } = service;
  const session = world.start(app);
  world.push(app, session, Object.keys(connector.accounts)[0] ?? '', { records: [stale] });
  world.abandon(app, session);
}

const isStaleKept = ({ service, app }: Rehearsal) =>
  Object.values(service.world.inventory(app)).some((records) => records.some(({ id }) => id === stale.id));

function inventoryOf({ service, app }: Rehearsal): Inventory {
  const entries = Object.entries(service.world.inventory(app)).filter(([, records]) => records.length > 0);
  return Object.fromEntries(
    entries.map(([slug, records]) => [slug, records.map((record) => canonical(record as never))]),
  );
}

/** Returns the final state of an undisturbed run, with which every disturbed run is compared. */
async function oracle(subject: Subject): Promise<Inventory> {
  return rehearse(subject, [], async (rehearsal) => {
    plantStale(rehearsal, subject);
    await rehearsal.sync();
    return inventoryOf(rehearsal);
  });
}

/** A check that a run recovers from a fault: its outcome equals that of an undisturbed run. */
function bears(id: string, title: string, fault: Fault): Check {
  return {
    id,
    group: 'protocol',
    title,
    async run(subject) {
      const expected = await oracle(subject);
      await rehearse(subject, [fault], async (rehearsal) => {
        plantStale(rehearsal, subject);
        await rehearsal.sync();
        must(
          isDeepStrictEqual(inventoryOf(rehearsal), expected),
          'the final state differs from that of an undisturbed run',
        );
      });
    },
  };
}

/** A check that a failure during a listing ends in an abandoned session that removes nothing. */
function abandons(id: string, title: string, spoil: (connector: Connector) => Connector): Check {
  return {
    id,
    group: 'protocol',
    title,
    async run(subject) {
      await rehearse(
        subject,
        [],
        async (rehearsal) => {
          plantStale(rehearsal, subject);
          const ended = await rehearsal.sync().then(
            () => 'completed',
            (error) => reason(error),
          );
          must(ended !== 'completed', 'the run completed despite the failure');
          must(callsOf(rehearsal, completed).length === 0, 'the session was completed');
          must(callsOf(rehearsal, abandoned).length === 1, 'the session was not abandoned');
          must(isStaleKept(rehearsal), 'an account was removed');
        },
        spoil(subject.connector),
      );
    },
  };
}

/** Returns the connector with a listing of the last resource type that fails at its end. */
function withLastList(
  connector: Connector,
  spoil: (list: AsyncIterable<unknown>, skip: (id: string, why: string) => void) => unknown,
): Connector {
  const [slug, type] = Object.entries(connector.accounts).at(-1) ?? [];
  if (slug === undefined || type === undefined) return connector;
  const list = ((system, context) =>
    spoil(type.list(system, context) as AsyncIterable<unknown>, context.skip)) as typeof type.list;
  return { ...connector, accounts: { ...connector.accounts, [slug]: { ...type, list } } };
}

export const protocolChecks: Check[] = [
  {
    id: 'protocol.clean-run',
    group: 'protocol',
    title:
      'pushes groups, licenses and accounts in pages of at most 100, completes once, and removes unlisted records',
    async run(subject) {
      const { records } = await listAll(subject);
      await rehearse(subject, [], async (rehearsal) => {
        plantStale(rehearsal, subject);
        await rehearsal.sync();
        const inventory = inventoryOf(rehearsal);
        for (const [slug, list] of records) {
          const listed = new Set(list.map(({ id }) => id)).size;
          const held = inventory[slug]?.length ?? 0;
          must(
            held === listed,
            `${slug}: ${counted(listed, 'record')} ${wasOrWere(listed)} listed, but the service has ${held}`,
          );
        }
        const order = typesOf(subject.connector).map(({ slug }) => slug);
        const pushed = callsOf(rehearsal, /^PUT/).map((call) =>
          order.indexOf(decodeURIComponent(call.split('/').at(-1) ?? '')),
        );
        must(
          isDeepStrictEqual(
            pushed,
            [...pushed].sort((a, b) => a - b),
          ),
          'the order was not groups, licenses, accounts',
        );
        must(rehearsal.service.pages.largest <= 100, `a page had ${rehearsal.service.pages.largest} records`);
        must(callsOf(rehearsal, completed).length === 1, 'the session was not completed exactly once');
      });
    },
  },
  {
    id: 'protocol.resync-no-diff',
    group: 'protocol',
    title: 'a second run changes nothing',
    async run(subject) {
      await rehearse(subject, [], async (rehearsal) => {
        await rehearsal.sync();
        const before = inventoryOf(rehearsal);
        await rehearsal.sync();
        must(isDeepStrictEqual(inventoryOf(rehearsal), before), 'the second run changed the state');
      });
    },
  },
  abandons(
    'protocol.list-error-abandons',
    'an error at the end of a listing abandons the session and removes nothing',
    (connector) =>
      withLastList(connector, async function* (list) {
        yield* list;
        throw new Error('the connection broke');
      }),
  ),
  abandons(
    'protocol.skipped-record-abandons',
    'a skipped record abandons the session and removes nothing',
    (connector) =>
      withLastList(connector, async function* (list, skip) {
        yield* list;
        skip('unreadable', 'it could not be read');
      }),
  ),
  bears('protocol.throttled-page', 'a throttled page is sent again after the requested wait', {
    on: /^PUT/,
    nth: 2,
    what: 'throttle',
  }),
  bears('protocol.failed-page', 'a page that failed with a server error is sent again', {
    on: /^PUT/,
    nth: 2,
    what: 'crash',
    times: 2,
  }),
  bears('protocol.lost-page-answer', 'a page whose response was lost is sent again', {
    on: /^PUT/,
    nth: 1,
    what: 'lose',
  }),
  bears('protocol.lost-start-answer', 'a start whose response was lost is repeated', {
    on: started,
    nth: 1,
    what: 'lose',
  }),
  bears('protocol.lost-complete-answer', 'a completion whose response was lost counts', {
    on: completed,
    nth: 1,
    what: 'lose',
  }),
  {
    id: 'protocol.superseded',
    group: 'protocol',
    title: 'a run superseded by a newer session stops without completing or starting a session',
    async run(subject) {
      await rehearse(subject, [{ on: /^PUT/, nth: 2, what: 'supersede' }], async (rehearsal) => {
        plantStale(rehearsal, subject);
        const error = await rehearsal.sync().then(
          () => undefined,
          (thrown) => thrown,
        );
        must(error?.name === 'SupersededError', `the run ended with ${error ? reason(error) : 'success'}`);
        must(callsOf(rehearsal, started).length === 1, 'it started another session');
        must(callsOf(rehearsal, completed).length === 0, 'it completed a session');
        must(isStaleKept(rehearsal), 'an account was removed');
      });
    },
  },
  {
    id: 'protocol.cleanup-failed',
    group: 'protocol',
    title: 'CLEANUP_FAILED is an error, and the next run succeeds',
    async run(subject) {
      const expected = await oracle(subject);
      await rehearse(subject, [{ on: completed, nth: 1, what: 'cleanup' }], async (rehearsal) => {
        plantStale(rehearsal, subject);
        const ended = await rehearsal.sync().then(
          () => 'success',
          (error) => reason(error),
        );
        must(ended.includes('CLEANUP_FAILED'), `the run ended with ${ended}`);
        await rehearsal.sync();
        must(
          isDeepStrictEqual(inventoryOf(rehearsal), expected),
          'the final state differs from that of an undisturbed run',
        );
      });
    },
  },
  {
    id: 'protocol.sigkill',
    group: 'protocol',
    title: 'a run killed at any checkpoint and restarted reaches the state of an undisturbed run',
    async run(subject) {
      const expected = await oracle(subject);
      for (const [name, fault] of checkpoints(await countPushes(subject))) {
        await rehearse(subject, [], async (rehearsal) => {
          plantStale(rehearsal, subject);
          const first = startProcess(subject, ['sync', '--guard', 'off'], rehearsal);
          rehearsal.service.arm({ ...fault, also: () => first.child.kill('SIGKILL') });
          const { signal, stderr } = await first.ended;
          must(
            signal === 'SIGKILL',
            `${name}: the run ended before it could be killed: ${stderr.slice(-300)}`,
          );
          must(
            isStaleKept(rehearsal) || callsOf(rehearsal, completed).length > 0,
            `${name}: an account was removed`,
          );
          const second = await startProcess(subject, ['sync', '--guard', 'off'], rehearsal).ended;
          must(
            second.code === 0,
            `${name}: the restarted run exited with ${second.code}: ${second.stderr.slice(-300)}`,
          );
          must(
            isDeepStrictEqual(inventoryOf(rehearsal), expected),
            `${name}: the final state differs from that of an undisturbed run`,
          );
        });
      }
    },
  },
];

function countPushes(subject: Subject): Promise<number> {
  return rehearse(subject, [], async (rehearsal) => {
    await rehearsal.sync();
    return callsOf(rehearsal, /^PUT/).length;
  });
}

/** Returns a fault before and after each kind of step: for the first, a middle and the last page, for example. */
function checkpoints(pages: number): [string, Fault][] {
  const chosen = [...new Set([1, Math.ceil(pages / 2), pages])];
  return [
    ['after the session start', { on: started, nth: 1, what: 'lose' }],
    ...chosen.map((nth): [string, Fault] => [`before page ${nth}`, { on: /^PUT/, nth, what: 'drop' }]),
    ...chosen.map((nth): [string, Fault] => [`after page ${nth}`, { on: /^PUT/, nth, what: 'lose' }]),
    ['before complete', { on: completed, nth: 1, what: 'drop' }],
    ['after complete', { on: completed, nth: 1, what: 'lose' }],
    ['during the cleanup', { on: /^GET .*\/sync\//, nth: 1, what: 'drop' }],
  ];
}
