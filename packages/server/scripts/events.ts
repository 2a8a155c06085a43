// What an operator does to the event log by hand: npm run events -- <command>. DATABASE_URL or GATEHOUSE_DATA_DIR as
// for the server.
import { sql } from 'kysely';
import { readConfig } from '../src/config.ts';
import { rotateCursorKey } from '../src/events/cursor-keys.ts';
import { jumpAfterRestore } from '../src/events/log.ts';
import { keepLog } from '../src/events/retention.ts';
import { type Db, openDatabase } from '../src/platform/database/open.ts';

const USAGE = `npm run events -- <command>

  after-restore                 after restoring a backup, before the server starts: no lost position is used again
  rotate-cursor-key             a new key signs cursors; cursors given out before stay valid
  retention <days> | forever    how long events are kept; the daily job carries it out
  keep                          what the daily job does, now

The organization is GATEHOUSE_ORG.`;

const config = readConfig(process.env);
const [command, argument] = process.argv.slice(2);

async function organization(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from organization where slug = ${config.org}`.execute(
    db,
  );
  if (rows[0] === undefined) throw new Error(`There is no organization ${config.org}.`);
  return rows[0].id;
}

async function setRetention(db: Db, days: string | undefined): Promise<string> {
  if (days !== 'forever' && !/^[1-9]\d{0,5}$/.test(days ?? '')) throw new Error(USAGE);
  const kept = days === 'forever' ? null : Number(days);
  await sql`update organization set event_retention_days = ${kept} where id = ${await organization(db)}`.execute(
    db,
  );
  return kept === null ? 'Events are kept for ever.' : `Events are kept for ${kept} days.`;
}

async function run(db: Db): Promise<string> {
  switch (command) {
    case 'after-restore':
      return `${await jumpAfterRestore(db)} organizations continue at new positions.`;
    case 'rotate-cursor-key':
      return `Key ${await rotateCursorKey(db, await organization(db))} signs cursors within a minute.`;
    case 'retention':
      return setRetention(db, argument);
    case 'keep':
      await keepLog(db);
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
