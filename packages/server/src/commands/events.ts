import { listOrganizations } from '#directory/access/organization-facts.ts';
import { counted } from '#kit/counted.ts';
import { within } from '#kit/database.ts';
import { rotateCursorKey } from '#log/events/cursor-keys.ts';
import { jumpAfterRestore } from '#log/events/log.ts';
import { maintainLog, setRetention } from '#log/events/retention.ts';
import { type Area, idOf, UsageError } from './command.ts';

export const events: Area = {
  usage: `  events after-restore          skip positions that may be lost; run it after restoring a backup, before the server starts
  events rotate-cursor-key      sign new cursors of the organization GATEHOUSE_ORG with a new key; existing cursors stay valid
  events retention <days> | forever [<slug>]
                                set how long events are kept, for all organizations or one; the daily job applies it
  events keep                   run the daily job now`,
  commands: {
    'events after-restore': async ({ database: { db } }) =>
      `The event logs of ${counted(await jumpAfterRestore(db), 'organization')} continue at new positions.`,
    'events rotate-cursor-key': async ({ database: { db }, secrets, config }) =>
      `Key ${await rotateCursorKey(within(db, await idOf(db, config.org)), secrets)} will sign all new cursors within a minute.`,
    'events retention': async ({ database: { db }, words: [days, slug] }) => {
      if (days !== 'forever' && !/^[1-9]\d{0,5}$/.test(days ?? '')) throw new UsageError();
      const kept = days === 'forever' ? null : Number(days);
      const ids =
        slug === undefined ? (await listOrganizations(db)).map(({ id }) => id) : [await idOf(db, slug)];
      for (const id of ids) await setRetention(within(db, id), kept);
      const whose = slug === undefined ? 'of all organizations' : `of ${slug}`;
      return `Events ${whose} are kept ${kept === null ? 'forever' : `for ${counted(kept, 'day')}`}.`;
    },
    'events keep': async ({ database: { db } }) => {
      await maintainLog(db);
      return 'Done.';
    },
  },
};
