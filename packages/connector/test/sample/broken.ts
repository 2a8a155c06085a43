import { text } from '../../src/config.ts';
import {
  type AccountRecord,
  type Connector,
  defineConnector,
  type GroupRecord,
  type Listing,
  type Page,
  type ResourceType,
} from '../../src/define.ts';
import { TaskError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import type { UnseenRule } from '../../src/unseen.ts';
import { connector as right } from './connector.ts';
import { type Directory, LONGEST_NAME } from './directory.ts';

/** A connector with one defect, and the check that must find it. */
export type Broken = { caughtBy: string; connector: Connector };

type People = ResourceType<{ directory: Directory }, AccountRecord>;
type Teams = ResourceType<{ directory: Directory }, GroupRecord>;
const people = right.accounts.person as People;
const withPeople = (change: Partial<People>): Connector => ({
  ...right,
  accounts: { person: { ...people, ...change } as People },
});
const withTasks = (tasks: NonNullable<Connector['tasks']>): Connector => ({
  ...right,
  tasks: { ...right.tasks, ...tasks },
});

/** Returns the correct listing with each page passed through `change`. */
function changed(change: (page: Page<AccountRecord>, at: number) => Page<AccountRecord>): People['list'] {
  return async function* (system, context): AsyncGenerator<Page<AccountRecord>> {
    let at = 0;
    for await (const page of people.list(system, context) as AsyncIterable<Page<AccountRecord>>)
      yield change(page, at++);
  };
}

/** Returns the correct connector without what it reports of one rule. */
function withoutRule(rule: UnseenRule): Connector {
  const team = right.groups?.team as Teams;
  const list: Teams['list'] = (system, context) =>
    team.list(system, {
      ...context,
      unseen(what) {
        if (what.rule !== rule) context.unseen(what);
      },
    });
  return { ...right, groups: { team: { ...team, list } as Teams } };
}

const untouched = right.tasks ?? {};

export const broken: Record<string, Broken> = {
  'swallows an outage and lists nothing': {
    caughtBy: 'read.outage-is-an-error',
    connector: withPeople({
      async *list(system, context): AsyncGenerator<AccountRecord | Page<AccountRecord>> {
        try {
          yield* people.list(system, context) as Listing<AccountRecord>;
        } catch {
          context.log.warn('the directory does not respond');
        }
      },
    }),
  },
  'lists a person twice': {
    caughtBy: 'read.unique-ids',
    connector: withPeople({
      list: changed((page) => ({ ...page, records: [...page.records, ...page.records.slice(0, 1)] })),
    }),
  },
  'refers to a team that it does not list': {
    caughtBy: 'read.refs-resolve',
    connector: withPeople({
      list: changed(({ records, ...page }) => ({
        ...page,
        records: records.map((record) => ({
          ...record,
          memberships: { team: [{ id: 'purple', name: 'Purple' }] },
        })),
      })),
    }),
  },
  'invents ids': {
    caughtBy: 'read.stable',
    connector: withPeople({
      list: changed(({ records }) => ({
        records: records.map((record) => ({ ...record, id: crypto.randomUUID() })),
      })),
    }),
  },
  'lists people without a name': {
    caughtBy: 'read.valid-records',
    connector: withPeople({
      list: changed((page) => ({ ...page, records: page.records.map(({ id }) => ({ id })) })),
    }),
  },
  'reports a last sign-in that is not a time': {
    caughtBy: 'read.valid-records',
    connector: withPeople({
      list: changed((page) => ({
        ...page,
        records: page.records.map((record) => ({ ...record, last_sign_in_at: 'yesterday' })),
      })),
    }),
  },
  'leaves the last sign-in out when it reads one account': {
    caughtBy: 'read.get-agrees',
    connector: withPeople({
      async get(system, id) {
        const record = (await people.get?.(system, id)) ?? null;
        return record && { ...record, last_sign_in_at: null };
      },
    }),
  },
  'skips a page when it resumes': {
    caughtBy: 'read.resume',
    connector: withPeople({
      list: (system, context) =>
        people.list(system, {
          ...context,
          from: context.from && `p${String(Number(context.from.slice(1)) + 50).padStart(6, '0')}`,
        }),
    }),
  },
  'returns the same page token forever': {
    caughtBy: 'protocol.clean-run',
    connector: withPeople({ list: changed((page) => ({ ...page, next: 'more' })) }),
  },
  'reads only the first page': {
    caughtBy: 'read.pages',
    connector: withPeople({ list: changed((page, at) => (at === 0 ? page : { records: [] })) }),
  },
  'reads a record differently than it lists it': {
    caughtBy: 'read.get-agrees',
    connector: withPeople({
      async get(system, id) {
        const record = (await people.get?.(system, id)) ?? null;
        return record && { ...record, status: 'inactive' };
      },
    }),
  },
  'prints to standard output': {
    caughtBy: 'read.stdout-is-data',
    connector: {
      ...right,
      connect(config, context) {
        console.log('connecting');
        return right.connect(config, context);
      },
    },
  },
  'does not declare its secret': {
    caughtBy: 'static.secrets-declared',
    connector: defineConnector({
      ...right,
      config: { ...right.config, apiToken: text('the token', { default: 'x' }) },
    }),
  },
  'does not describe a setting': {
    caughtBy: 'static.settings-described',
    connector: { ...right, config: { ...right.config, mode: text('', { default: 'x' }) } },
  },
  'throws on unknown errors': {
    caughtBy: 'static.map-error-total',
    connector: {
      ...right,
      mapError: (error) =>
        (error as Error).message.startsWith('E') ? new TaskError('TIMEOUT', 'slow') : undefined,
    },
  },
  'reports success for a second create': {
    caughtBy: 'write.create-twice',
    connector: withTasks({
      find: async () => null,
      create: async (system, task, context) =>
        (await untouched.create?.(system, task, context).catch(() => undefined)) ?? { id: task.account.id },
    }),
  },
  'lists people without teams when the directory does not name them': {
    caughtBy: 'read.missing-memberships',
    connector: withPeople({
      async *list({ directory }) {
        const { people: all, silent } = directory.read();
        for (const { id, username, teams } of Object.values(all))
          yield { id, username, memberships: { team: silent ? [] : teams.map((team) => ({ id: team })) } };
      },
    }),
  },
  'lists everybody as active when the directory does not say it': {
    caughtBy: 'read.missing-status',
    connector: withPeople({
      *list({ directory }) {
        const { blind } = directory.read();
        for (const { id, username, suspended } of directory.list())
          yield { id, username, status: suspended && !blind ? 'suspended' : 'active' };
      },
    }),
  },
  'hides that a page repeats a person': {
    caughtBy: 'read.repeated-records',
    connector: withPeople({
      *list({ directory }) {
        const seen = new Set<string>();
        for (let page = directory.page(''); page.length > 0; page = directory.page([...seen].at(-1) ?? '')) {
          const others = page.filter(({ id }) => !seen.has(id));
          if (others.length === 0) return;
          for (const { id, username } of others) {
            seen.add(id);
            yield { id, username };
          }
        }
      },
    }),
  },
  'counts the people of earlier pages while somebody is removed': {
    caughtBy: 'read.changed-while-read',
    connector: withPeople({
      *list({ directory }) {
        for (let at = 0; ; at += 100) {
          const records = directory
            .list()
            .slice(at, at + 100)
            .map(({ id, username }) => ({ id, username }));
          if (records.length === 0) return;
          yield { records };
        }
      },
    }),
  },
  'reads teams by their number while one is removed': {
    caughtBy: 'read.groups-changed-while-read',
    connector: {
      ...withPeople({
        list: changed((page) => ({
          ...page,
          records: page.records.map(({ id, username }) => ({ id, username })),
        })),
      }),
      groups: {
        team: {
          name: 'Teams',
          *list({ directory }: { directory: Directory }) {
            for (let at = 0; ; at++) {
              const records = directory
                .teams()
                .slice(at, at + 1)
                .map(([id, name]) => ({ id, name }));
              if (records.length === 0) return;
              yield { records };
            }
          },
        },
      },
    },
  },
  'reads members by their number while one leaves': {
    caughtBy: 'read.members-changed-while-read',
    connector: withPeople({
      *list({ directory }) {
        const holders = new Map<string, { id: string }[]>();
        for (const [team] of directory.teams())
          for (
            let at = 0, page = directory.members(team, at);
            page.length > 0;
            page = directory.members(team, at)
          ) {
            for (const id of page) holders.set(id, [...(holders.get(id) ?? []), { id: team }]);
            at += page.length;
          }
        for (const { id, username } of directory.list())
          yield { id, username, memberships: { team: holders.get(id) ?? [] } };
      },
    }),
  },
  'leaves out a person who may not be read': {
    caughtBy: 'read.partial-account',
    connector: withoutRule('unreadable'),
  },
  'leaves out members of another system': {
    caughtBy: 'read.partial-member',
    connector: withoutRule('foreign'),
  },
  'takes a team that it may not read for an empty one': {
    caughtBy: 'read.partial-group',
    connector: withoutRule('unreadable'),
  },
  'cuts a name that is too long': {
    caughtBy: 'write.name-refused',
    connector: withTasks({
      find: async () => null,
      create: async (system, task, context) => {
        const username = task.account.username?.slice(0, LONGEST_NAME) ?? null;
        const cut = { ...task, account: { ...task.account, username } };
        return (await untouched.create?.(system, cut, context)) ?? { id: '' };
      },
    }),
  },
  'leaves an account behind whose name is refused': {
    caughtBy: 'write.name-refused',
    connector: withTasks({
      create: async (system, task, context) => {
        const name = task.account.username ?? '';
        const account = { ...task.account, username: `new-${name.slice(0, 10)}` };
        const made = await untouched.create?.(system, { ...task, account }, context);
        if (name.length > LONGEST_NAME) throw new Error(`${name} is too long`);
        return made ?? { id: '' };
      },
    }),
  },
  'says nothing of a name that is refused': {
    caughtBy: 'write.name-refused',
    connector: withTasks({
      create: async (system, task, context) => {
        const made = await untouched.create?.(system, task, context).catch(() => {
          throw new SyntaxError('Unexpected token < in JSON at position 0');
        });
        return made ?? { id: '' };
      },
    }),
  },
  'lists people in any order': {
    caughtBy: 'read.missing-tail',
    connector: withPeople({
      *list({ directory }) {
        const mixed = directory.list().map((person) => ({ person, at: crypto.randomUUID() }));
        for (const { person } of mixed.sort((a, b) => (a.at < b.at ? -1 : 1)))
          yield { id: person.id, username: person.username };
      },
    }),
  },
  'takes the first hit of a search': {
    caughtBy: 'write.find-exact',
    connector: withTasks({
      find: async ({ directory }, { username, email }) =>
        directory.search(username || email || 'nobody')[0]?.id ?? null,
    }),
  },
  'searches for everybody if the task has no name': {
    caughtBy: 'write.find-exact',
    connector: withTasks({
      find: async ({ directory }, { username, email }) =>
        Object.values((directory as Directory).read().people).find((person) =>
          username || email ? person.username === (username || email) : true,
        )?.id ?? null,
    }),
  },
  'deletes an older account when a creation fails': {
    caughtBy: 'write.undo-only-own',
    connector: withTasks({
      create: async (system, task, context) => {
        try {
          return (await untouched.create?.(system, task, context)) ?? { id: '' };
        } catch (error) {
          const older = (system as { directory: Directory }).directory.find(task.account);
          if (older) await untouched.delete?.(system, { id: older.id }, context);
          throw error;
        }
      },
    }),
  },
  'ignores the grants of a create': {
    caughtBy: 'write.create',
    connector: withTasks({
      create: async (system, task, context) =>
        (await untouched.create?.(system, { ...task, memberships: {} }, context)) ?? { id: '' },
    }),
  },
  'returns an id that it does not list': {
    caughtBy: 'write.create-introduced',
    connector: {
      ...withTasks({
        create: async (system, task, context) => {
          await untouched.create?.(system, task, context);
          return { id: task.account.id };
        },
      }),
    },
  },
  'never removes grants': {
    caughtBy: 'write.update-grants',
    connector: withTasks({
      update: async (system, { account, changes }, context) => {
        const added = Object.entries(changes).map(([slug, change]) => [
          slug,
          { added: change?.added ?? [], removed: [] },
        ]);
        await untouched.update?.(system, { account, changes: Object.fromEntries(added) }, context);
      },
    }),
  },
  'rejects an existing grant': {
    caughtBy: 'write.update-twice',
    connector: withTasks({
      update: async (system, task, context) => {
        const teams =
          (system as { directory: Directory }).directory.read().people[task.account.id]?.teams ?? [];
        if (task.changes.team?.added.some(({ id }) => teams.includes(id)))
          throw new Error('already a member');
        await untouched.update?.(system, task, context);
      },
    }),
  },
  'does not suspend': { caughtBy: 'write.suspend', connector: withTasks({ suspend: async () => {} }) },
  'does not unsuspend': {
    caughtBy: 'write.unsuspend',
    connector: withTasks({ unsuspend: async () => {} }),
  },
  'delivers a password that it did not set': {
    caughtBy: 'write.reset-password',
    connector: withTasks({ resetPassword: async () => ({ password: 'not-the-password-1A' }) }),
  },
  'hides an account instead of deleting it': {
    caughtBy: 'write.delete',
    connector: withTasks({
      delete: async (system, account, context) => untouched.suspend?.(system, account, context),
    }),
  },
  'reports a suspension that it has not carried out': {
    caughtBy: 'write.confirmed',
    connector: withTasks({ suspend: async () => {} }),
  },
  'reports a removal from a team that it has not carried out': {
    caughtBy: 'write.confirmed',
    connector: withTasks({
      update: async (system, { account, changes }, context) => {
        const added = { team: { added: changes.team?.added ?? [], removed: [] } };
        await untouched.update?.(system, { account, changes: added }, context);
      },
    }),
  },
  'takes a page of HTML for an account that does not exist': {
    caughtBy: 'read.html-is-an-error',
    connector: withPeople({
      get: (system, id) => (people.get?.(system, id) ?? Promise.resolve(null)).catch(() => null),
    }),
  },
  'takes a page of HTML for the end of an account': {
    caughtBy: 'write.html-is-not-gone',
    connector: {
      ...withPeople({
        get: (system, id) => (people.get?.(system, id) ?? Promise.resolve(null)).catch(() => null),
      }),
      tasks: {
        ...untouched,
        delete: async (system, account, context) => {
          await untouched.delete?.(system, account, context).catch((error: Error) => {
            throw new TaskError('ACCOUNT_NOT_FOUND', error.message);
          });
        },
      },
    },
  },
  'reports success for deleting an unknown account': {
    caughtBy: 'write.unknown-id',
    connector: withTasks({
      delete: async (system, account, context) =>
        untouched.delete?.(system, account, context).catch(() => {}),
    }),
  },
  'reports missing permissions as an internal error': {
    caughtBy: 'write.weak-credentials',
    connector: withTasks({
      create: async (system, task, context) => {
        try {
          return (await untouched.create?.(system, task, context)) ?? { id: '' };
        } catch (error) {
          throw new Error(String(error));
        }
      },
      find: async () => null,
    }),
  },
};

const chosen = process.env.SAMPLE_BREAKAGE ? broken[process.env.SAMPLE_BREAKAGE] : undefined;
if (chosen) await main(chosen.connector, import.meta);
