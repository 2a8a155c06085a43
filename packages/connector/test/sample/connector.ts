import { appendFileSync } from 'node:fs';
import { secret, text } from '../../src/config.ts';
import { type AccountRecord, defineConnector, type Ref } from '../../src/define.ts';
import { TaskError } from '../../src/errors.ts';
import { generatePassword } from '../../src/execute.ts';
import { main } from '../../src/main.ts';
import { type Content, Directory, type Person, SECRET } from './directory.ts';

const ids = (refs: Ref[] = []) => refs.map(({ id }) => id);

function recordOf(
  { id, username, email, suspended, teams }: Person,
  { silent, blind, hidden }: Pick<Content, 'silent' | 'blind' | 'hidden'>,
): AccountRecord<'team'> {
  // No answer is not an empty one.
  if (silent) throw new Error(`the directory does not say in which teams ${id} is`);
  if (blind) throw new Error(`the directory does not say whether ${id} is suspended`);
  const readable = teams.filter((team) => hidden !== 'group' || team !== SECRET.team);
  const memberships = { team: readable.map((team) => ({ id: team })) };
  return {
    id,
    username,
    email,
    status: suspended ? 'suspended' : 'active',
    memberships,
    // Changes with each reading, as in a system in which the connector has an account.
    last_sign_in_at: new Date().toISOString(),
    owner: 'owner@sample.example',
    attributes: { teams: teams.length, suspended },
  };
}

type System = { directory: Directory; writable: boolean; outbox: string | undefined };

/** Throws unless this connection may write. It simulates weak credentials. */
function writable({ directory, writable: may }: System): Directory {
  if (!may) throw new TaskError('PERMISSION_DENIED', 'this key may only read');
  return directory;
}

/** A correct connector, with which the kit tests itself. `broken.ts` adds one defect at a time. */
export const connector = defineConnector({
  name: 'sample',
  version: '1.0.0',
  description: 'A directory in a JSON file',
  config: {
    file: text('the JSON file'),
    key: secret('"write" allows writing'),
    outbox: text('file that new passwords are appended to', { optional: true }),
  },
  connect: ({ file, key, outbox }): System => ({
    directory: new Directory(file),
    writable: key === 'write',
    outbox,
  }),
  check: ({ directory }) => void directory.read(),
  groups: {
    team: {
      name: 'Teams',
      *list({ directory }, { unseen }) {
        for (const [id, name] of directory.teams()) {
          const { unreadable, foreign } = directory.hiddenIn(id);
          unseen({ slug: 'team', id, rule: 'unreadable', count: unreadable });
          unseen({ slug: 'team', id, rule: 'foreign', count: foreign });
          yield { id, name, risk: id === 'red' ? 'high' : 'low', owner: 'owner@sample.example' };
        }
      },
    },
  },
  accounts: {
    person: {
      name: 'People',
      *list({ directory }, { from = '' }) {
        const content = directory.read();
        for (let after = from, page = directory.page(after); page.length > 0; page = directory.page(after)) {
          let last = after;
          for (const { id } of page) {
            if (id <= last)
              throw new Error(`the directory lists ${id} after ${last}, so others may be missing`);
            last = id;
          }
          after = last;
          yield { records: page.map((person) => recordOf(person, content)), next: after };
        }
      },
      async get({ directory }, id) {
        const content = directory.read();
        if (content.hidden === 'account' && id === SECRET.person)
          throw new TaskError('PERMISSION_DENIED', `${id} may not be read`);
        const person = content.people[id];
        return person ? recordOf(person, content) : null;
      },
    },
  },
  tasks: {
    async find({ directory }, { username, email }) {
      const name = username ?? email;
      if (!name) throw new TaskError('INTERNAL_ERROR', 'a person needs a name');
      // The directory may ignore the name.
      return directory.search(name).find((person) => person.username === name)?.id ?? null;
    },
    async create(system, { account, memberships }) {
      const teams = ids(memberships.team);
      const unknown = teams.find((team) => !(team in system.directory.read().teams));
      if (unknown) throw new TaskError('INTERNAL_ERROR', `there is no team ${unknown}`);
      const { id } = writable(system).add(account, teams);
      const password = generatePassword();
      system.directory.alter(id, 'password', (person) => Object.assign(person, { password }));
      return { id, password };
    },
    async update(system, { account, changes }) {
      const { added = [], removed = [] } = changes.team ?? {};
      writable(system).alter(account.id, 'update', (person) => {
        const kept = person.teams.filter((team) => !ids(removed).includes(team));
        person.teams = [...new Set([...kept, ...ids(added)])];
      });
    },
    delete: async (system, { id }) => writable(system).remove(id),
    suspend: async (system, { id }) =>
      writable(system).alter(id, 'suspend', (person) => Object.assign(person, { suspended: true })),
    unsuspend: async (system, { id }) =>
      writable(system).alter(id, 'unsuspend', (person) => Object.assign(person, { suspended: false })),
    async resetPassword(system, { id }) {
      const password = generatePassword();
      writable(system).alter(id, 'password', (person) => Object.assign(person, { password }));
      return { password };
    },
  },
  async deliver({ outbox }, { account, password }) {
    if (!outbox) throw new Error('no outbox is configured');
    appendFileSync(outbox, `${JSON.stringify({ account, password })}\n`, { mode: 0o600 });
  },
});

await main(connector, import.meta);
