import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  CATEGORIES,
  catalog,
  categoryOf,
  EVENT_TYPES,
  SEVERITIES,
  severityOf,
  TYPES_OF_CATALOG,
} from './catalog.ts';

/** The types of protocol 6.3 by the categories of 6.1. */
const CONTRACT: Record<string, string> = {
  authentication:
    'session.login.succeeded session.login.failed session.logout session.ip_blocked session.expired warp.login.attempted warp.login.failed api_key.created api_key.revoked api_key.used',
  authorization:
    'account.provisioned account.deprovisioned account.activated account.suspended account.unsuspended account.group.added account.group.removed ticket.created ticket.approved ticket.denied',
  application:
    'app.created app.connected app.disconnected app.sync.started app.sync.completed app.sync.failed app.sync.paused app.connection_request.created',
  task: 'task.created task.dispatched task.completed task.failed task.retried task.preempted task.cancelled task.dispatch_blocked',
  user_lifecycle:
    'user.created user.updated user.deactivated user.reactivated user.deleted user.identity_type.changed',
};

/** The severities of protocol 6.2. */
const CONTRACT_SEVERITIES: Record<string, string> = {
  critical: 'session.ip_blocked',
  high: 'session.login.failed task.failed ticket.denied user.deactivated account.deprovisioned',
  medium: 'app.sync.failed task.dispatch_blocked',
  low: 'session.login.succeeded session.logout task.completed user.updated app.created',
};

test('contains exactly the 42 types of the protocol', () => {
  const types = Object.values(CONTRACT).flatMap((list) => list.split(' '));

  expect(types).toHaveLength(42);
  expect([...TYPES_OF_CATALOG.contract].sort()).toEqual(types.sort());
});

/** The types that begin like one of the protocol. A prefix without `catalog` does not find them (D43). */
const SHARED_PREFIX = ['app.sync.superseded', 'session.login.unsolicited'];

test('starts few configuration types like those of the protocol', () => {
  const firstWord = (type: string) => type.slice(0, type.indexOf('.'));
  const taken = new Set(TYPES_OF_CATALOG.contract.map(firstWord));

  const { configuration } = TYPES_OF_CATALOG;

  expect(configuration.filter((type) => taken.has(firstWord(type))).sort()).toEqual(SHARED_PREFIX);
  expect(configuration.every((type) => categoryOf(type) === 'configuration')).toBe(true);
});

test.each(CATEGORIES.filter((category) => category !== 'configuration'))(
  'contains the types of category %s',
  (category) => {
    expect(TYPES_OF_CATALOG.contract.filter((type) => categoryOf(type) === category)).toEqual(
      CONTRACT[category]?.split(' '),
    );
  },
);

test.each(SEVERITIES.filter((severity) => severity !== 'info'))(
  'assigns the severity %s to its types',
  (severity) => {
    const expected = CONTRACT_SEVERITIES[severity]?.split(' ').sort();

    expect(TYPES_OF_CATALOG.contract.filter((type) => severityOf(type) === severity).sort()).toEqual(
      expected,
    );
  },
);

test('assigns the severity info to all other types', () => {
  const listed = Object.values(CONTRACT_SEVERITIES).flatMap((list) => list.split(' '));

  expect(TYPES_OF_CATALOG.contract.filter((type) => severityOf(type) === 'info')).toHaveLength(
    42 - listed.length,
  );
});

test('has a JSON Schema of an object for every payload', () => {
  for (const type of EVENT_TYPES) {
    expect(JSON.parse(JSON.stringify(catalog[type].payload)), type).toMatchObject({ type: 'object' });
  }
});

test('describes every field of every payload', () => {
  interface Described {
    description?: string;
    properties?: Record<string, Described>;
    items?: Described;
    anyOf?: Described[];
  }
  const undescribed = (path: string, { properties = {}, items, anyOf = [] }: Described): string[] => [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(/^[A-Z].*[.]$/.test(field.description ?? '') ? [] : [`${path}.${name}`]),
      ...undescribed(`${path}.${name}`, field),
    ]),
    ...[...(items ? [items] : []), ...anyOf].flatMap((inside) => undescribed(path, inside)),
  ];

  expect(undescribed('x', { properties: { new: {} } })).toEqual(['x.new']);
  expect(EVENT_TYPES.flatMap((type) => undescribed(type, catalog[type].payload as Described))).toEqual([]);
});

test('docs/reference/events.md describes every type', async () => {
  const text = await readFile(new URL('../../../../../docs/reference/events.md', import.meta.url), 'utf8');

  for (const type of EVENT_TYPES) expect(text).toContain(`### ${type}\n`);
});

/** The words that the console makes for all types, and for some (packages/console/src/events/event-parts.ts). */
const WORDS = 'who person account app work name label changes way'.split(' ');
const OWN =
  'access accounts because by caller client deputy discarded ended group has_deputy memberships newer run'.split(
    ' ',
  );

test('sentences name words of the console and fields of the payload only', () => {
  const unknown = EVENT_TYPES.flatMap((type) => {
    const { sentence, quote = [], people = [], payload } = catalog[type];
    const fields = Object.keys(payload.properties);
    const known = [...WORDS, ...OWN, ...fields, ...fields.map((field) => `has_${field}`)];
    const named = [...sentence.matchAll(/\{(\w+)(?:\}|, (?:plural|select),)/g)].map(([, name]) =>
      String(name),
    );
    return [...named, ...quote, ...people]
      .filter((name) => !known.includes(name))
      .map((name) => [type, name]);
  });

  expect(unknown).toEqual([]);
});
