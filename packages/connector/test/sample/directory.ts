import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { TaskAccount } from '../../src/define.ts';
import { TaskError } from '../../src/errors.ts';

export type Person = {
  id: string;
  username: string;
  email: string | null;
  suspended: boolean;
  teams: string[];
  password: string | null;
};
export type Content = {
  next: number;
  /** While true, rejects every change, as for weak credentials. */
  readOnly: boolean;
  /** While true, does not say who is in which team. */
  silent: boolean;
  /** While true, does not say who is suspended. */
  blind: boolean;
  /** While true, searches return everybody. */
  ignoresFilters: boolean;
  /** A fault of the list of people, of teams, or of the members of a team. */
  fault: 'repeat' | 'cut' | 'shift' | 'shiftTeams' | 'shiftMembers' | null;
  /** With `shiftMembers`: the first member of each team has left. */
  left: boolean;
  /** Records that may not be read: one account, or the members of a team. With `member`, a team has one of another system. */
  hidden: 'account' | 'member' | 'group' | null;
  people: Record<string, Person>;
  teams: Record<string, string>;
  /** Every change in order, to count executions. */
  log: string[];
};

/** The accounts, members and groups that `hidden` takes away. */
export const SECRET = { person: 'p000001', team: 'blue' };
export const LONGEST_NAME = 40;

/** A small directory in a JSON file: an external system that survives the process, for tests of the runner and the kit. */
export class Directory {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

  static create(path: string, people: number): Directory {
    const content: Content = {
      next: people,
      readOnly: false,
      silent: false,
      blind: false,
      ignoresFilters: false,
      fault: null,
      left: false,
      hidden: null,
      people: {},
      teams: {},
      log: [],
    };
    for (const team of ['red', 'green', 'blue']) content.teams[team] = `Team ${team}`;
    const teams = Object.keys(content.teams);
    for (let n = 0; n < people; n++) {
      const id = `p${String(n).padStart(6, '0')}`;
      const team = teams[n % 3] ?? 'red';
      content.people[id] = {
        id,
        username: `person${n}`,
        email: null,
        suspended: false,
        teams: [team],
        password: null,
      };
    }
    const directory = new Directory(path);
    directory.#write(content);
    return directory;
  }

  read(): Content {
    return JSON.parse(readFileSync(this.path, 'utf8')) as Content;
  }

  /** Returns the people in the order of their ids. */
  list(): Person[] {
    const { people, fault, hidden } = this.read();
    const all = Object.values(people)
      .filter(({ id }) => hidden !== 'account' || id !== SECRET.person)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return all.slice(fault === 'shift' ? 1 : 0, fault === 'cut' ? -10 : undefined);
  }

  /** Returns the teams in order. */
  teams(): [string, string][] {
    const { teams, fault } = this.read();
    return Object.entries(teams).slice(fault === 'shiftTeams' ? 1 : 0);
  }

  /** Returns how many members of a team may not be read, and how many are of another system. */
  hiddenIn(team: string): { unreadable: number; foreign: number } {
    const { people, hidden } = this.read();
    const members = Object.values(people).filter(({ teams }) => teams.includes(team));
    const secret = members.filter(({ id }) => hidden === 'account' && id === SECRET.person).length;
    const isSecret = hidden === 'group' && team === SECRET.team;
    return {
      unreadable: isSecret ? members.length : secret,
      foreign: hidden === 'member' && team === SECRET.team ? 1 : 0,
    };
  }

  /** Returns a page of the members of a team. */
  members(team: string, at: number, size = 50): string[] {
    const { people, fault } = this.read();
    if (fault === 'shiftMembers' && at > 0) this.set({ left: true });
    const all = Object.values(people).filter(({ teams }) => teams.includes(team));
    return all
      .slice(this.read().left ? 1 : 0)
      .slice(at, at + size)
      .map(({ id }) => id);
  }

  /** Returns the page of people behind an id. */
  page(after: string, size = 100): Person[] {
    const { people, fault } = this.read();
    const page = this.list()
      .filter(({ id }) => id > after)
      .slice(0, size);
    const last = people[after];
    return fault === 'repeat' && last ? [last, ...page.slice(1)] : page;
  }

  /** Returns what a search for a name returns. */
  search(name: string): Person[] {
    const { people, ignoresFilters } = this.read();
    return Object.values(people).filter(({ username }) => ignoresFilters || username === name);
  }

  find({ username, email }: Pick<TaskAccount, 'username' | 'email'>): Person | undefined {
    const name = username ?? email;
    return Object.values(this.read().people).find((person) => person.username === name);
  }

  add({ username, email }: TaskAccount, teams: string[]): Person {
    return this.#change(`add ${username ?? email}`, (content) => {
      const name = username ?? email;
      if (!name) throw new TaskError('INTERNAL_ERROR', 'a person needs a name');
      if (name.length > LONGEST_NAME)
        throw new TaskError('INTERNAL_ERROR', `the name ${name} has more than ${LONGEST_NAME} characters`);
      if (this.find({ username: name }))
        throw new TaskError('ACCOUNT_ALREADY_EXISTS', `${name} already exists`);
      const id = `p${String(content.next++).padStart(6, '0')}`;
      const person: Person = {
        id,
        username: name,
        email: email ?? null,
        suspended: false,
        teams,
        password: null,
      };
      content.people[id] = person;
      return person;
    });
  }

  alter(id: string, what: string, work: (person: Person) => unknown): void {
    this.#change(`${what} ${id}`, ({ people }) => {
      const person = people[id];
      if (!person) throw new TaskError('ACCOUNT_NOT_FOUND', `${id} does not exist`);
      work(person);
    });
  }

  remove(id: string): void {
    this.#change(`remove ${id}`, ({ people }) => {
      if (!people[id]) throw new TaskError('ACCOUNT_NOT_FOUND', `${id} does not exist`);
      delete people[id];
    });
  }

  set(mode: Partial<Omit<Content, 'next' | 'people' | 'teams' | 'log'>>): void {
    this.#write({ ...this.read(), ...mode });
  }

  #change<T>(what: string, work: (content: Content) => T): T {
    const content = this.read();
    if (content.readOnly) throw new TaskError('PERMISSION_DENIED', 'the directory is read only');
    const result = work(content);
    content.log.push(what);
    this.#write(content);
    return result;
  }

  #write(content: Content): void {
    writeFileSync(`${this.path}.new`, JSON.stringify(content));
    renameSync(`${this.path}.new`, this.path);
  }
}
