// Maintains the event log by hand: npm run events -- <command>. Reads DATABASE_URL or GATEHOUSE_DATA_DIR like the server.
import { sql } from 'kysely';
import { readConfig } from '../src/config.ts';
import { rotateCursorKey } from '../src/events/cursor-keys.ts';
import { jumpAfterRestore } from '../src/events/log.ts';
import { maintainLog, setRetention } from '../src/events/retention.ts';
import { type Db, openDatabase } from '../src/platform/database/open.ts';

const USAGE = `npm run events -- <command>

  after-restore                 skip positions that may be lost; run it after restoring a backup, before the server starts
  rotate-cursor-key             sign new cursors with a new key; existing cursors stay valid
  retention <days> | forever    set how long events are kept; the daily job applies it
  keep                          run the daily job now

The organization is GATEHOUSE_ORG.`;

const config = readConfig(process.env);
const [command, argument] = process.argv.slice(2);

async function organization(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from organization where slug = ${config.org}`.execute(
    db,
  );
  if (rows[0] === undefined)
    throw new Error(`The organization ${config.org} does not exist. Check GATEHOUSE_ORG.`);
  return rows[0].id;
}

async function changeRetention(db: Db, days: string | undefined): Promise<string> {
  if (days !== 'forever' && !/^[1-9]\d{0,5}$/.test(days ?? '')) throw new Error(USAGE);
  const kept = days === 'forever' ? null : Number(days);
  await setRetention(db, await organization(db), kept);
  return kept === null ? 'Events are kept forever.' : `Events are kept for ${kept} days.`;
}

async function run(db: Db): Promise<string> {
  switch (command) {
    case 'after-restore':
      return `${await jumpAfterRestore(db)} organizations continue at new positions.`;
    case 'rotate-cursor-key':
      return `Key ${await rotateCursorKey(db, await organization(db))} will sign all new cursors within a minute.`;
    case 'retention':
      return changeRetention(db, argument);
    case 'keep':
      await maintainLog(db);
      return 'Done.';
    default:
      throw new Error(USAGE);
  }
}

const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
try {
  console.log(await run(database.db));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await database.close();
}
