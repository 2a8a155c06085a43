import { silent, type Unseen } from '@gatehouse/connector';
import { type Answer, startScriptedServer } from '@gatehouse/connector/conformance';
import { afterEach, describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { findUser, readUser } from './users.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function serverThat(answer: Answer) {
  const { url, lines, close } = await startScriptedServer(answer);
  cleanups.push(close);
  const scim = { url, token: 't', deliverTo: undefined };
  const unseen: Unseen[] = [];
  const shifting = new Set<string>();
  const types = { ...connector.groups, ...connector.licenses, ...connector.accounts };
  /** Lists a resource type as a sync does. */
  const list = async (slug: string) => {
    const context = {
      from: undefined,
      signal: new AbortController().signal,
      log: silent,
      skip: () => {},
      unseen: (what: Unseen) => void unseen.push(what),
      mayShift: () => void shifting.add(slug),
    };
    return (await Array.fromAsync(types[slug]?.list(scim, context) ?? [])) as Record<string, unknown>[];
  };
  return { scim, list, lines, unseen, shifting };
}

/** A page of two resources. */
const pageOf = (all: object[], url: URL) => {
  const start = Number(url.searchParams.get('startIndex') ?? 1);
  return {
    body: { totalResults: all.length, startIndex: start, Resources: all.slice(start - 1, start + 1) },
  };
};
const user = (id: string) => ({ id, userName: id });
const group = (id: string, ...members: object[]) => ({ id, displayName: id, members });
const member = (id: string) => ({ value: id });
const heldBy = (records: Record<string, unknown>[]) =>
  records.map(({ memberships }) =>
    (memberships as { group: { id: string }[] }).group.map(({ id }) => id).join(''),
  );

test.each(['group', 'entitlement', 'user'])(
  'the list of each %s reports that it has several pages',
  async (slug) => {
    const serve = (count: number) =>
      serverThat((line, _nth, url) => {
        const all = ['1', '2', '3'].slice(0, count);
        return pageOf(line === 'GET /Users' ? all.map(user) : all.map((id) => group(id)), url);
      });
    const { list, shifting } = await serve(3);
    await list(slug);
    expect([...shifting]).toEqual([slug]);
    const small = await serve(2);
    await small.list(slug);
    expect([...small.shifting]).toEqual([]);
  },
);

describe('groups on several pages', () => {
  /** Each reading of the groups has its own groups from its second page on. */
  const serve = (...readings: [first: string[], then: string[]][]) => {
    let reading = -1;
    const all = readings.flat(2);
    return serverThat((line, _nth, url) => {
      if (line === 'GET /Users/a') return { body: user('a') };
      if (line === 'GET /Users') return pageOf([user('a')], url);
      const one = line.replace('GET /Groups/', '');
      const last = readings.at(-1)?.[1] ?? [];
      if (line !== 'GET /Groups') return last.includes(one) ? { body: group(one, member('a')) } : undefined;
      const isFirst = url.searchParams.get('startIndex') === '1';
      if (isFirst) reading++;
      const [first, then] = readings[Math.min(reading, readings.length - 1)] ?? [all, all];
      return pageOf(
        (isFirst ? first : then).map((id) => group(id, member('a'))),
        url,
      );
    });
  };
  const whole: [string[], string[]] = [
    ['1', '2', '3', '4'],
    ['1', '2', '3', '4'],
  ];
  /** While it is read, 1 is deleted and 5 is created. */
  const shifted: [string[], string[]] = [
    ['1', '2', '3', '4'],
    ['2', '3', '4', '5'],
  ];
  const count = (lines: string[], start: string) => lines.filter((line) => line.startsWith(start)).length;

  test('cost no further request if their list just had the same ones', async () => {
    const { list, lines } = await serve(whole);
    await list('group');
    expect(heldBy(await list('user'))).toEqual(['1234']);
    expect(lines).toEqual([...Array(4).fill('GET /Groups'), 'GET /Users']);
  });

  test('are looked up if a reading lacks them', async () => {
    const { list, lines } = await serve(whole, shifted);
    await list('group');
    expect(heldBy(await list('user'))).toEqual(['12453']);
    expect(count(lines, 'GET /Groups/')).toBe(1);
  });

  test('are read twice if they were not listed before', async () => {
    const { scim, lines } = await serve(shifted, [
      ['2', '3', '4', '5'],
      ['2', '3', '4', '5'],
    ]);
    const found = await readUser(scim, 'a');
    expect(heldBy([found as unknown as Record<string, unknown>])).toEqual(['12453']);
    expect(count(lines, 'GET /Groups')).toBe(4);
    await readUser(scim, 'a');
    expect(count(lines, 'GET /Groups/')).toBe(1);
  });

  test('that were deleted in the meantime are left out', async () => {
    const left: [string[], string[]] = [
      ['1', '2', '3'],
      ['1', '2', '3'],
    ];
    const { list } = await serve(whole, left);
    await list('group');
    expect(heldBy(await list('user'))).toEqual(['123']);
  });
});

test('a user who moved to an earlier page is found before a second one is created', async () => {
  const { scim } = await serverThat((_line, nth, url) =>
    pageOf((nth === 1 ? ['a', 'b', 'ada'] : ['b', 'ada', 'c']).map(user), url),
  );
  expect(await findUser(scim, { id: 'ours', username: 'ada' })).toBe('ada');
});

describe('a listing reports', () => {
  const hidden = (id: string, rule: Unseen['rule'], count: number) => ({ slug: 'group', id, rule, count });
  const device = { value: 'd1', type: 'Device', $ref: 'https://x/Devices/d1' };

  test.each<[string, object[], Unseen[]]>([
    ['nothing if it has all members', [group('red', member('a'))], []],
    [
      'members that no list has',
      [group('red', member('x'), member('y'), member('a'))],
      [hidden('red', 'foreign', 2)],
    ],
    ['members that are neither users nor groups', [group('red', device)], [hidden('red', 'class', 1)]],
    ['members without an id', [group('red', { display: 'Ann' })], [hidden('red', 'unreadable', 1)]],
    ['members who are written differently', [group('red', member('A'))], [hidden('red', 'unreadable', 1)]],
    [
      'groups that may be meant by members without a type',
      [group('red', member('blue')), group('blue')],
      [hidden('red', 'unreadable', 1)],
    ],
    [
      'groups in groups that no list has, and what hides in listed ones',
      [
        group('all', { value: 'red', type: 'Group' }),
        group('red', { value: 'gone', type: 'Group' }, member('x')),
      ],
      [
        hidden('all', 'unreadable', 1),
        hidden('red', 'unreadable', 1),
        hidden('all', 'foreign', 1),
        hidden('red', 'foreign', 1),
      ],
    ],
  ])('%s', async (_, groups, expected) => {
    const { list, unseen } = await serverThat((line, _nth, url) =>
      pageOf(line === 'GET /Users' ? [user('a')] : groups, url),
    );
    await list('user');
    expect(unseen).toEqual(expected);
  });

  test('no member whose id is only in its address', async () => {
    const { list, unseen } = await serverThat((line, _nth, url) =>
      pageOf(line === 'GET /Users' ? [user('a')] : [group('red', { $ref: 'https://x/Users/a' })], url),
    );
    expect(heldBy(await list('user'))).toEqual(['red']);
    expect(unseen).toEqual([]);
  });
});
