import { counted } from '../counted.ts';
import { Exit, Failure } from '../errors.ts';
import { defaultGuard, type Guard } from '../guard.ts';
import { runSync, type SyncResult } from '../sync.ts';
import { unseenWords } from '../unseen-entries.ts';
import {
  type Command,
  type Context,
  jsonOption,
  resultJson,
  serviceOptions,
  systemOptions,
  type Values,
  withRun,
} from './context.ts';

export const sync = {
  summary: 'push all records and remove those that no longer exist',
  options: {
    ...systemOptions,
    ...serviceOptions,
    ...jsonOption,
    'dry-run': { type: 'boolean', description: 'list and check all records, send nothing' },
    guard: {
      type: 'string',
      value: 'PERCENT|off',
      description: `stop if more than this percentage would be removed (default ${defaultGuard.percent})`,
    },
  },
  async run(context: Context): Promise<Exit> {
    const { values, progress, print } = context;
    const options = { guard: guardFrom(values), dryRun: values['dry-run'] === true };
    const result = await withRun(context, (run) => runSync(run, options));
    progress.close();
    print(values.json ? resultJson(result) : sentence(result));
    return result.problems > 0 || result.guard ? Exit.abandoned : Exit.ok;
  },
} satisfies Command;

export function guardFrom({ guard }: Values): Guard | null {
  if (guard === undefined) return defaultGuard;
  if (guard === 'off') return null;
  const percent = Number(guard);
  if (!(percent >= 0 && percent <= 100)) throw new Failure('--guard takes a percentage or "off"', Exit.usage);
  return { ...defaultGuard, percent };
}

export function sentence(result: SyncResult): string {
  const { outcome, pushed, memberships, counts, problems, guard } = result;
  const records = Object.entries(pushed).map(([slug, count]) => `${count} ${slug}`);
  const what = [...records, counted(memberships, 'membership')].join(', ');
  const hidden = unseenWords(result.unseen);
  const notShown = hidden === '' ? [] : [`not shown: ${hidden}`];
  if (outcome === 'dry run') {
    const stops = [
      problems > 0 ? `${counted(problems, 'record')} would be skipped` : '',
      guard ? `the guard would stop the sync: ${guard}` : '',
    ];
    return [`dry run: ${what}`, ...stops.filter(Boolean), ...notShown].join('; ');
  }
  return [`synced ${what}${counts ? changes(counts) : ''}`, ...membershipChanges(result), ...notShown].join(
    '; ',
  );
}

const changes = ({ created, updated, unchanged, removed }: NonNullable<SyncResult['counts']>) =>
  `: ${created} new, ${updated} changed, ${unchanged} unchanged, ${removed} removed`;

const membershipChanges = ({ membership_counts: counts }: SyncResult) =>
  counts ? [`${counts.added} memberships added, ${counts.removed} removed`] : [];
