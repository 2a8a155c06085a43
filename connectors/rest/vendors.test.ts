import { generateKeyPairSync } from 'node:crypto';
import type { Answer, Reply } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { openDefinition, shipped } from './test/server.ts';

const open = (name: string, address: RegExp, settings: Record<string, unknown>, answer: Answer) =>
  openDefinition(shipped(name, address), answer, { settings });

const token = { body: { access_token: 'token', expires_in: 3599, token_type: 'Bearer' } };

describe('Google Workspace', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const settings = {
    CLIENT_EMAIL: 'gatehouse@example.iam.gserviceaccount.com',
    ADMIN_EMAIL: 'admin@example.com',
    PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const google = (answer: Answer) =>
    open(
      'google-workspace',
      /https:\/\/(admin\.googleapis\.com\/admin|oauth2\.googleapis\.com)/g,
      settings,
      (line, ...rest) =>
        line === 'POST /token' ? token : answer(line.replace('/directory/v1', ''), ...rest),
    );
  const user = (fields: object = {}) => ({
    id: '1',
    primaryEmail: 'a@example.com',
    name: { givenName: 'A', familyName: 'B', fullName: 'A B' },
    suspended: false,
    ...fields,
  });
  const groups = {
    body: {
      kind: 'admin#directory#groups',
      groups: [
        { id: 'g1', name: 'Sales' },
        { id: 'g2', name: 'All' },
      ],
    },
  };
  const members = (...items: object[]) => ({ body: { kind: 'admin#directory#members', members: items } });
  const none = { body: { kind: 'admin#directory#members' } };

  test.each([
    [{ archived: true }, 'suspended'],
    [{ archived: false, suspended: true }, 'suspended'],
    [{ archived: false }, 'active'],
    [{}, 'active'],
  ])('lists a user with %j as %s', async (fields, status) => {
    const { list } = await google((line) => {
      if (line === 'GET /users') return { body: { users: [user(fields)] } };
      return line === 'GET /groups' ? groups : none;
    });
    expect(await list('user')).toMatchObject([{ id: '1', status }]);
  });

  test('fails to unsuspend an archived user', async () => {
    const { tasks, system, context } = await google(() => ({ body: user({ archived: true }) }));
    await expect(tasks.unsuspend?.(system, { id: '1' }, context)).rejects.toThrow(
      'the user a@example.com is archived; unarchive the user in the Admin console first',
    );
  });

  test('shows memberships through a group', async () => {
    const { list } = await google((line) => {
      if (line === 'GET /users') return { body: { users: [user()] } };
      if (line === 'GET /groups/g1/members') return members({ id: '1', type: 'USER' });
      return line === 'GET /groups' ? groups : members({ id: 'g1', type: 'GROUP' });
    });
    const [record] = await list('user');
    expect(record?.memberships).toEqual({
      group: [
        { id: 'g1', name: 'Sales' },
        { id: 'g2', name: 'All', via: { slug: 'group', id: 'g1' } },
      ],
    });
  });

  test('refuses a page without its list', async () => {
    const { list } = await google((line) => (line === 'GET /groups' ? groups : { body: {} }));
    await expect(list('user')).rejects.toThrow(/has an unexpected form/);
  });

  test('does not take an alias for the user', async () => {
    const { tasks, system, context } = await google(() => ({
      body: user({ primaryEmail: 'other@example.com' }),
    }));
    expect(await tasks.find?.(system, { id: 'ours', email: 'a@example.com' }, context)).toBeNull();
  });

  test('waits until a new user can become a member', async () => {
    const { tasks, system, context, lines } = await google((line, nth) => {
      if (line === 'POST /users') return { body: user() };
      return line === 'POST /groups/g1/members' && nth > 2 ? { body: {} } : undefined;
    });
    const account = { id: 'ours', email: 'a@example.com', first_name: 'A', last_name: 'B' };
    const created = await tasks.create?.(
      system,
      { account, memberships: { group: [{ id: 'g1' }] } },
      context,
    );
    expect(created?.id).toBe('1');
    expect(lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });
});

describe('Okta', () => {
  const okta = (answer: Answer) =>
    open('okta', /https:\/\/\$\{DOMAIN\}/g, { API_TOKEN: 'x', DOMAIN: 'x' }, answer);
  const profile = {
    login: 'ada',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'B',
    displayName: 'Ada B',
  };
  const user = (status: string) => ({ id: 'u1', status, profile });

  test.each([
    ['ACTIVE', 'active'],
    ['LOCKED_OUT', 'active'],
    ['PASSWORD_EXPIRED', 'active'],
    ['RECOVERY', 'active'],
    ['PROVISIONED', 'active'],
    ['STAGED', 'inactive'],
    ['SUSPENDED', 'suspended'],
    ['DEPROVISIONED', 'inactive'],
  ])('lists %s as %s', async (status, expected) => {
    const { list } = await okta((line) => ({ body: line === 'GET /api/v1/users' ? [user(status)] : [] }));
    expect(await list('user')).toMatchObject([{ status: expected }]);
  });

  test('skips a user with an unknown status', async () => {
    const { list, skipped } = await okta((line) => ({
      body: line === 'GET /api/v1/users' ? [user('ODD')] : [],
    }));
    expect(await list('user')).toEqual([]);
    expect(skipped).toHaveLength(1);
  });

  test.each(['DEPROVISIONED', 'STAGED'])('fails to unsuspend a user who is %s', async (status) => {
    const { tasks, system, context } = await okta(() => ({ body: user(status) }));
    await expect(tasks.unsuspend?.(system, { id: 'u1' }, context)).rejects.toThrow(
      `shows the user ada as ${status}`,
    );
  });

  test('suspends a user who is suspended already', async () => {
    const { tasks, system, context, lines } = await okta(() => ({ body: user('SUSPENDED') }));
    await tasks.suspend?.(system, { id: 'u1' }, context);
    expect(lines).not.toContain('POST /api/v1/users/u1/lifecycle/suspend');
  });
});

test.each(['ldap_blocked', 'banned', 'deactivated'])(
  'GitLab does not unsuspend a user who is %s',
  async (state) => {
    const { tasks, system, context, list } = await open('gitlab', /\$\{URL\}/g, { TOKEN: 'x' }, (line) => {
      if (line === 'GET /api/v4/users') return { body: [{ id: 7, username: 'ada', state }] };
      return { body: line === 'GET /api/v4/groups' ? [] : { id: 7, username: 'ada', state } };
    });
    await expect(tasks.unsuspend?.(system, { id: '7' }, context)).rejects.toThrow(
      `shows the user ada as ${state}`,
    );
    expect(await list('user')).toMatchObject([{ status: 'suspended' }]);
  },
);

describe('GitLab', () => {
  const groups = [
    { id: 1, full_path: 'a', parent_id: null },
    { id: 2, full_path: 'a/b', parent_id: 1 },
    { id: 3, full_path: 'a/b/c', parent_id: 2 },
  ];
  const gitlab = (listed = groups) =>
    open('gitlab', /\$\{URL\}/g, { TOKEN: 'x' }, (line) => {
      const path = line.replace('/api/v4', '');
      if (path === 'GET /users') return { body: [{ id: 7, username: 'ada', state: 'active' }] };
      if (path === 'GET /users/7') return { body: { id: 7, username: 'ada', state: 'active' } };
      if (path === 'GET /groups') return { body: listed };
      if (path === 'GET /groups/1/members') return { body: [{ id: 7, username: 'ada' }] };
      return path.startsWith('DELETE') ? undefined : { body: [] };
    });

  test('shows inherited members of subgroups with the parent that gives them', async () => {
    const { list } = await gitlab();
    expect((await list('user'))[0]?.memberships).toEqual({
      group: [
        { id: '1', name: 'a' },
        { id: '2', name: 'a/b', via: { slug: 'group', id: '1' } },
        { id: '3', name: 'a/b/c', via: { slug: 'group', id: '2' } },
      ],
    });
  });

  test('names the group from which a membership comes that should be removed', async () => {
    const { tasks, system, context } = await gitlab();
    const changes = { group: { added: [], removed: [{ id: '3' }] } };
    await expect(tasks.update?.(system, { account: { id: '7' }, changes }, context)).rejects.toThrow(
      'the account 7 is in the group 3 through the group 1; remove it from that group instead',
    );
  });

  test('is not listed without the parent of a group, whose members are unknown', async () => {
    const { list } = await gitlab(groups.slice(1));
    await expect(list('user')).rejects.toThrow(
      "the group '2' inherits the members of '1', which is not listed",
    );
  });
});

test('Zendesk does not list a deleted agent as active', async () => {
  const end = { meta: { has_more: false }, links: { next: null } };
  const user = { id: 7, email: 'a@example.com', name: 'A', suspended: false, active: false };
  const settings = { SUBDOMAIN: 'x', EMAIL: 'x', API_TOKEN: 'x' };
  const { list } = await open('zendesk', /https:\/\/\$\{SUBDOMAIN\}\.zendesk\.com/g, settings, (line) => ({
    body: line === 'GET /api/v2/users' ? { users: [user], ...end } : { groups: [], ...end },
  }));
  expect(await list('agent')).toMatchObject([{ id: '7', status: 'inactive' }]);
});

describe('Salesforce', () => {
  const settings = { MY_DOMAIN: 'x', CLIENT_ID: 'x', CLIENT_SECRET: 'x' };
  const salesforce = (answer: Answer) =>
    open('salesforce', /https:\/\/\$\{MY_DOMAIN\}\.my\.salesforce\.com/g, settings, (line, ...rest) =>
      line === 'POST /services/oauth2/token'
        ? token
        : answer(line.replace('/services/data/v60.0', ''), ...rest),
    );
  const found = (...records: object[]): Reply => ({
    body: { totalSize: records.length, done: true, records },
  });

  test('lists a frozen user as suspended', async () => {
    const { list } = await salesforce((_line, _nth, url) => {
      const query = url.searchParams.get('q') ?? '';
      if (query.includes('FROM UserLogin')) return found({ UserId: 'u1' });
      if (!query.includes('FROM User ')) return found();
      const user = { Username: 'a', Profile: { UserLicenseId: 'l1' }, IsActive: true };
      return found({ Id: 'u1', ...user }, { Id: 'u2', ...user }, { Id: 'u3', ...user, IsActive: false });
    });
    expect((await list('user')).map(({ status }) => status)).toEqual(['suspended', 'active', 'inactive']);
  });

  describe('a user with several assignments of a permission set', () => {
    const remove = async (fails: string[]) => {
      let left = ['a1', 'a2', 'a3'];
      const { tasks, system, context } = await salesforce((line, _nth, url) => {
        if (line === 'GET /query') return found(...left.map((Id) => ({ Id })));
        const ids = line.startsWith('DELETE /composite/sobjects')
          ? (url.searchParams.get('ids') ?? '').split(',')
          : line.startsWith('DELETE ')
            ? [line.slice(line.lastIndexOf('/') + 1)]
            : [];
        left = left.filter((id) => !ids.includes(id) || fails.includes(id));
        return { body: ids.map((id) => ({ id, success: !fails.includes(id) })) };
      });
      const changes = { permission_set: { added: [], removed: [{ id: 'p1' }] } };
      await tasks.update?.(system, { account: { id: 'u1' }, changes }, context);
      return left;
    };

    test('loses all of them', async () => {
      expect(await remove([])).toEqual([]);
    });

    test('keeps those that Salesforce does not delete, and the task names them', async () => {
      await expect(remove(['a2', 'a3'])).rejects.toThrow(
        'Salesforce still shows these assignments of the permission set: a2, a3',
      );
    });
  });

  test('unfreezes a user who is unsuspended', async () => {
    let frozen = true;
    const { tasks, system, context } = await salesforce((line) => {
      if (line === 'PATCH /sobjects/UserLogin/l1') frozen = false;
      if (line === 'GET /query') return found({ Id: 'l1', IsFrozen: frozen });
      return line === 'GET /sobjects/User/u1' ? { body: { IsActive: true } } : { status: 204 };
    });
    await tasks.unsuspend?.(system, { id: 'u1' }, context);
    expect(frozen).toBe(false);
  });
});

test('a renamed team of GitHub keeps its id, and a new team with the old slug gets another one', async () => {
  let teams = [{ id: 4711, slug: 'payroll', name: 'Payroll' }];
  const { list, tasks, system, context, lines } = await open(
    'github',
    /\$\{API_URL:-https:\/\/api\.github\.com\}/g,
    { ORG: 'acme', TOKEN: 'x' },
    (line) => {
      if (line === 'GET /orgs/acme') return { body: { id: 99 } };
      if (line === 'GET /orgs/acme/teams') return { body: teams };
      if (line === 'GET /orgs/acme/members') return { body: [{ id: 7, login: 'ada' }] };
      if (line === 'GET /user/7') return { body: { login: 'ada' } };
      if (line.startsWith('PUT /organizations/99/team/4711/')) return { body: {} };
      return { body: line.includes('/4711/') ? [{ id: 7, login: 'ada' }] : [] };
    },
  );
  const before = await list('member');
  teams = [
    { id: 4711, slug: 'finance', name: 'Finance' },
    { id: 4712, slug: 'payroll', name: 'Payroll' },
  ];
  const ids = (record: object | undefined) =>
    (record as { memberships: { team: { id: string }[] } }).memberships.team.map(({ id }) => id);
  expect(ids(before[0])).toEqual(['4711']);
  expect(ids((await list('member'))[0])).toEqual(['4711']);
  expect((await list('team')).map(({ id }) => id)).toEqual(['4711', '4712']);
  const changes = { team: { added: [{ id: '4711' }], removed: [] } };
  await tasks.update?.(system, { account: { id: '7' }, changes }, context);
  expect(lines.at(-1)).toBe('PUT /organizations/99/team/4711/memberships/ada');
});

describe('Entra ID', () => {
  const settings = { TENANT: 'acme', CLIENT_ID: 'x', CLIENT_SECRET: 'x' };
  const entra = (answer: Answer) =>
    open(
      'entra-id',
      /https:\/\/(graph\.microsoft\.com(?=\/v1\.0\n)|login\.microsoftonline\.com)/g,
      settings,
      (line, ...rest) =>
        line === 'POST /acme/oauth2/v2.0/token' ? token : answer(line.replace('/v1.0', ''), ...rest),
    );
  test('skips a user whose state the app may not read', async () => {
    const user = {
      id: 'u1',
      userPrincipalName: 'a@example.com',
      assignedLicenses: [],
      licenseAssignmentStates: [],
    };
    const { list, skipped } = await entra((line) => ({
      body: { value: line === 'GET /users' ? [{ ...user, accountEnabled: null }] : [] },
    }));
    expect(await list('user')).toEqual([]);
    expect(skipped).toEqual([expect.stringMatching(/^u1: status/)]);
  });

  const states = (...groups: (string | null)[]) =>
    groups.map((assignedByGroup) => ({ skuId: 's1', assignedByGroup }));

  test.each<[string, (string | null)[], object]>([
    ['directly', [null], { id: 's1' }],
    ['by a group', ['g1'], { id: 's1', via: { slug: 'group', id: 'g1' } }],
    ['by two groups', ['g2', 'g1'], { id: 's1', via: { slug: 'group', id: 'g1' } }],
    ['directly and by a group', ['g1', null], { id: 's1' }],
  ])('shows a license that is given %s', async (_, groups, ref) => {
    const user = {
      id: 'u1',
      userPrincipalName: 'a@example.com',
      accountEnabled: true,
      assignedLicenses: [{ skuId: 's1' }],
    };
    const { list } = await entra((line) => ({
      body: { value: line === 'GET /users' ? [{ ...user, licenseAssignmentStates: states(...groups) }] : [] },
    }));
    expect(await list('user')).toMatchObject([{ assignments: { license: [ref] } }]);
    expect((await list('user'))[0]?.assignments).toEqual({ license: [ref] });
  });

  const remove = async (groups: (string | null)[]) => {
    const { tasks, system, context, lines } = await entra((line) => {
      if (line === 'GET /users/u1') return { body: { licenseAssignmentStates: states(...groups) } };
      return { body: line === 'GET /groups/g1' ? { displayName: 'Sales' } : {} };
    });
    const changes = { license: { added: [], removed: [{ id: 's1' }] } };
    const work = tasks.update?.(system, { account: { id: 'u1' }, changes }, context);
    const message = await work?.then(
      () => 'completed',
      (error: Error) => error.message,
    );
    return { message, posts: lines.filter((line) => line === 'POST /v1.0/users/u1/assignLicense').length };
  };
  const sentence = 'the license comes from the group Sales (g1); remove the person from that group instead';

  test('removes a license that was given directly', async () => {
    expect(await remove([null])).toEqual({ message: 'completed', posts: 1 });
  });

  test('does not try to remove a license that a group gives', async () => {
    expect(await remove(['g1'])).toEqual({ message: sentence, posts: 0 });
  });

  test('removes the direct license, and says that a group gives it, too', async () => {
    expect(await remove(['g1', null])).toEqual({ message: sentence, posts: 1 });
  });

  test.each([true, false])('fails if the account is not enabled as asked (%s)', async (enabled) => {
    const { tasks, system, context } = await entra(() => ({ body: { accountEnabled: !enabled } }));
    const work = enabled ? tasks.unsuspend : tasks.suspend;
    await expect(work?.(system, { id: 'u1' }, context)).rejects.toThrow(/not in the state/);
  });
});
