import { Exit, Failure } from './errors.ts';

/** Loads the SQLite of Node.js and suppresses the warning of Node 22 and 24. Throws a Failure on a Node.js without it. */
export function loadSqlite(): typeof import('node:sqlite') {
  const emit = process.emitWarning;
  process.emitWarning = () => {};
  try {
    const loaded = process.getBuiltinModule?.('node:sqlite');
    if (!loaded)
      throw new Failure(`Node.js ${process.version} is too old; install 22.18 or newer`, Exit.usage);
    return loaded;
  } finally {
    process.emitWarning = emit;
  }
}
