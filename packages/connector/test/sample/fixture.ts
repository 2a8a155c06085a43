import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, switchOf } from '../../src/conformance/fixture.ts';
import { Directory, LONGEST_NAME } from './directory.ts';

/** A stage with the sample directory: 250 people in a file. */
export const fixture: Fixture = {
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sample-'));
    const file = join(folder, 'people.json');
    const directory = Directory.create(file, 250);
    directory.alter('p000007', 'suspend', (each) => Object.assign(each, { suspended: true }));
    const person = (id: string) => directory.read().people[id];
    return {
      settings: { file, key: 'write', outbox: join(folder, 'outbox') },
      weakSettings: { file, key: 'read', outbox: join(folder, 'outbox') },
      newAccount: (n) => ({ id: `ours-${n}`, username: `new${n}`, email: `new${n}@acme.example` }),
      grants: ['red', 'blue'].map((id) => ({ slug: 'team', ref: { id } })),
      witness: {
        exists: async (id) => person(id) !== undefined,
        suspended: async (id) => person(id)?.suspended === true,
        holds: async (id, _slug, ref) => person(id)?.teams.includes(ref) === true,
        signsIn: async ({ id }, password) => person(id)?.password === password,
      },
      async outage() {
        renameSync(file, `${file}.away`);
        return async () => renameSync(`${file}.away`, file);
      },
      async html() {
        renameSync(file, `${file}.away`);
        writeFileSync(file, '<html><title>404 Not Found</title></html>');
        return async () => renameSync(`${file}.away`, file);
      },
      // Nothing changes in the file by itself.
      clock: { now: () => 0, sleep: async () => {} },
      silence: switchOf((silent) => directory.set({ silent })),
      blindness: switchOf((blind) => directory.set({ blind })),
      strangers: switchOf((ignoresFilters) => directory.set({ ignoresFilters })),
      pages: {
        repeat: switchOf((on) => directory.set({ fault: on ? 'repeat' : null })),
        cut: switchOf((on) => directory.set({ fault: on ? 'cut' : null })),
        shift: switchOf((on) => directory.set({ fault: on ? 'shift' : null })),
        shiftGroups: switchOf((on) => directory.set({ fault: on ? 'shiftTeams' : null })),
        shiftMembers: switchOf((on) => directory.set({ fault: on ? 'shiftMembers' : null, left: false })),
      },
      partial: {
        account: switchOf((on) => directory.set({ hidden: on ? 'account' : null })),
        member: switchOf((on) => directory.set({ hidden: on ? 'member' : null })),
        group: switchOf((on) => directory.set({ hidden: on ? 'group' : null })),
      },
      misfit: (n) => ({ id: `long-${n}`, username: `long${n}`.padEnd(LONGEST_NAME + 1, 'x') }),
      async stop() {
        if (existsSync(folder)) rmSync(folder, { recursive: true });
      },
    };
  },
};
