import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fixture } from '../fixture.ts';
import { Directory } from './directory.ts';

/** A stage with the sample directory: 250 people in a file. */
export const fixture: Fixture = {
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sample-'));
    const file = join(folder, 'people.json');
    const directory = Directory.create(file, 250);
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
      async silence() {
        directory.set({ silent: true });
        return async () => directory.set({ silent: false });
      },
      async strangers() {
        directory.set({ ignoresFilters: true });
        return async () => directory.set({ ignoresFilters: false });
      },
      async stop() {
        if (existsSync(folder)) rmSync(folder, { recursive: true });
      },
    };
  },
};
