import { setHistoryDays, wrongHistoryDays } from '#directory/access/organization-state.ts';
import { maintainHistory } from '#inventory/records/history/retention.ts';
import { counted } from '#kit/counted.ts';
import { type Area, idOf, word } from './command.ts';

export const history: Area = {
  usage: `  history retention <slug> <days> | forever
                                set how long ended periods of the history are kept, at least 30 days; the daily job applies it
  history keep                  run the daily job now`,
  commands: {
    'history retention': async ({ database: { db }, words }) => {
      const slug = word(words, 0);
      const days = historyDays(word(words, 1));
      await setHistoryDays(db, await idOf(db, slug), days);
      return days === null
        ? `The history of ${slug} is kept forever.`
        : `Ended periods in the history of ${slug} are kept for ${counted(days, 'day')}. The daily job deletes older ones for good.`;
    },
    'history keep': async ({ database: { db } }) => {
      await maintainHistory(db);
      return 'Done.';
    },
  },
};

/** Throws if the word is neither `forever` nor a number of days that the database accepts. */
function historyDays(given: string): number | null {
  if (given === 'forever') return null;
  if (!/^\d{1,5}$/.test(given)) throw wrongHistoryDays(given);
  return Number(given);
}
