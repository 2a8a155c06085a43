import path from 'node:path';
import type { DatabaseSyncOptions } from 'node:sqlite';

/**
 * Limits node:sqlite, which Node's permission model does not cover, to the folder that the process may write to. SQLite opens
 * further files for `attach` and `vacuum into` only. Everything is captured before the connector could change it.
 */
export function guardDatabases() {
  // An import would keep its names: `syncBuiltinESMExports` leaves out modules that have no name without `node:`.
  const sqlite = process.getBuiltinModule('node:sqlite');
  const { DatabaseSync, constants } = sqlite;
  const { prototype } = DatabaseSync;
  const { setAuthorizer } = prototype;
  const { SQLITE_ATTACH, SQLITE_DENY, SQLITE_OK } = constants;
  const { resolve } = path;
  const mayWrite = process.permission.has.bind(process.permission);
  const authorize = (action: number) => (action === SQLITE_ATTACH ? SQLITE_DENY : SQLITE_OK);

  function GuardedDatabase(file: unknown, options?: DatabaseSyncOptions) {
    // Without a name, SQLite keeps the database in memory or in a file that it has deleted. An absolute name is not a file: URI.
    const isUnnamed = file === '' || file === ':memory:';
    const checked = typeof file === 'string' && !isUnnamed ? resolve(file) : file;
    if (typeof checked !== 'string' || !(isUnnamed || mayWrite('fs.write', checked)))
      throw new Error('A connector on the server opens databases in its own folder only.');
    const database = new DatabaseSync(checked, { ...options, open: true, allowExtension: false });
    setAuthorizer.call(database, authorize);
    return database;
  }
  GuardedDatabase.prototype = prototype;
  Object.defineProperty(prototype, 'constructor', { value: GuardedDatabase });
  for (const name of ['open', 'setAuthorizer', 'enableLoadExtension', 'loadExtension'])
    Reflect.deleteProperty(prototype, name);
  Object.assign(sqlite, { DatabaseSync: GuardedDatabase, backup: undefined });
}
