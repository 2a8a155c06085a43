import { type Connector, type ResourceKind, type ResourceType, typesOf } from '../define.ts';
import { type AnyRecord, refsOf } from '../records.ts';
import { runSync } from '../sync.ts';
import { type Check, must, type Subject } from './check.ts';
import { faultIn, type SwitchOrReason } from './fixture.ts';
import { listAll } from './read.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';

/** Returns the connector, whose lists of some kinds call `turn` once, after their first page. */
function turning(
  connector: Connector,
  kinds: readonly ResourceKind[],
  turn: () => Promise<unknown>,
): Connector {
  let isTurned = false;
  type Type = ResourceType<unknown, AnyRecord>;
  const turned = ([slug, type]: [string, Type]): [string, Type] => [
    slug,
    {
      ...type,
      async *list(system, context) {
        for await (const item of type.list(system, context)) {
          yield item;
          if (!isTurned) await turn();
          isTurned = true;
        }
      },
    },
  ];
  const all = (types: object | undefined = {}, kind: ResourceKind): never =>
    Object.fromEntries(
      kinds.includes(kind) ? Object.entries(types).map(turned) : Object.entries(types),
    ) as never;
  return {
    ...connector,
    groups: all(connector.groups, 'group'),
    licenses: all(connector.licenses, 'license'),
    accounts: all(connector.accounts, 'account'),
  };
}

const nameOf = (...parts: string[]) => parts.map((part) => `'${part}'`).join(' ');

/** Returns the records of a listing, and which account has which group or license. */
function factsOf(records: Iterable<[string, AnyRecord[]]>): Set<string> {
  const facts = new Set<string>();
  for (const [slug, list] of records)
    for (const record of list) {
      facts.add(nameOf(slug, record.id));
      for (const ref of refsOf(record))
        facts.add(`${nameOf(slug, record.id)} in ${nameOf(ref.slug, ref.id)}`);
    }
  return facts;
}

const factsIn = ({ service, app }: Rehearsal) =>
  factsOf(Object.entries(service.world.inventory(app)) as unknown as [string, AnyRecord[]][]);

/**
 * Syncs twice, and turns on the fault while the second sync reads the lists of some kinds, or before it. Throws if that sync removes
 * anything that the system still has.
 */
async function removesOnlyGone(
  subject: Subject,
  fault: SwitchOrReason | undefined,
  kinds: readonly ResourceKind[],
): Promise<void> {
  if (typeof fault !== 'function') return;
  let repair: (() => Promise<void>) | undefined;
  try {
    await rehearse(subject, [], async (rehearsal) => {
      await rehearsal.sync();
      const before = factsIn(rehearsal);
      const turn = async () => {
        repair ??= await fault();
      };
      if (kinds.length === 0) await turn();
      const ended = await rehearsal
        .run((each) => runSync({ ...each, connector: turning(each.connector, kinds, turn) }, { guard: null }))
        .catch(() => undefined);
      if (ended === undefined) return;
      const [after, there] = [factsIn(rehearsal), factsOf((await listAll(subject)).records)];
      const wrong = [...before].filter((fact) => !after.has(fact) && there.has(fact));
      must(
        wrong.length === 0,
        `the sync removed ${wrong.length} records or memberships that the system still has, for example ${wrong[0]}; call mayShift() in lists whose records can move`,
      );
    });
  } finally {
    await repair?.();
  }
}

const entitlementKinds: ResourceKind[] = ['group', 'license'];

/** Rules for lists whose records move between pages while they are read (D81). */
export const shiftChecks: Check[] = [
  {
    id: 'read.changed-while-read',
    group: 'read',
    title: 'a sync of accounts that move to an earlier page removes none that still exists',
    skip: ({ stage }) => faultIn('pages', stage.pages?.shift),
    run: (subject) => removesOnlyGone(subject, subject.stage.pages?.shift, ['account']),
  },
  {
    id: 'read.groups-changed-while-read',
    group: 'read',
    title: 'a sync of groups that move to an earlier page removes none that still exists',
    skip: ({ stage, connector }) =>
      typesOf(connector).some(({ kind }) => kind !== 'account')
        ? faultIn('pages.shiftGroups()', stage.pages?.shiftGroups)
        : 'the connector has no groups and licenses',
    run: (subject) => removesOnlyGone(subject, subject.stage.pages?.shiftGroups, entitlementKinds),
  },
  {
    id: 'read.members-changed-while-read',
    group: 'read',
    title: 'a sync of members that move to an earlier page removes no other member',
    skip: ({ stage, connector }) =>
      typesOf(connector).some(({ kind }) => kind !== 'account')
        ? faultIn('pages.shiftMembers()', stage.pages?.shiftMembers)
        : 'the connector has no groups and licenses',
    run: (subject) => removesOnlyGone(subject, subject.stage.pages?.shiftMembers, []),
  },
];
