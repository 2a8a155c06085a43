import type { Database } from './database.ts';
import { type ChangedCollation, readState, type State } from './queries/notes.ts';
import { type Setting, undoing } from './setting-source.ts';

/** Something about the database that an operator should change. Gatehouse works in the meantime. */
export interface Note {
  about: 'collation' | 'durability' | 'planner';
  sentence: string;
}

/** Stands for the names of the database and its role where everybody can read a note. */
const NAMELESS = { database: 'DATABASE', role: 'ROLE' };

/** Returns notes with the names of the database and its role, for the log, or without them, for everybody. */
export async function findNotes({ engine, db }: Database, names: 'named' | 'nameless'): Promise<Note[]> {
  // PGlite brings its collations along, and sets its settings itself.
  if (engine === 'pglite') return [];
  const found = await readState(db);
  const state = names === 'named' ? found : { ...found, ...NAMELESS };
  return [
    ...state.collations.map((one): Note => ({ about: 'collation', sentence: ofCollation(one, state) })),
    ...state.settings.map((one) => ofSetting(one, state)),
  ];
}

function ofCollation({ name, recorded, actual }: ChangedCollation, { database }: State): string {
  const what = name === null ? 'the database' : `the collation "${name}"`;
  const refresh =
    name === null
      ? `alter database "${database}" refresh collation version;`
      : `alter collation "${name}" refresh version;`;
  return `Indexes of ${what} were built with version ${recorded} of its collation, but the server now has version ${actual} and may sort text in another order. Searches can miss rows, and unique keys can admit duplicates. Stop the servers of Gatehouse, then run: reindex database "${database}"; ${refresh}`;
}

function ofSetting(setting: Setting, { role, database }: State): Note {
  const undo = undoing(setting, role, database);
  return setting.name.startsWith('enable_')
    ? { about: 'planner', sentence: `${setting.name} is off, so requests can be slow. ${undo}` }
    : {
        about: 'durability',
        sentence: `${setting.name} is off, so a crash of the database server can lose changes that Gatehouse has confirmed. ${undo}`,
      };
}
