import { fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Event } from './events-api.ts';
import { toOcsf } from './events-ocsf.ts';
import { tail } from './events-tail.ts';

const FILTERS = [
  ['catalog <catalog>', 'which events: contract, configuration, or all (the default)'],
  ['event-type <type>', 'only this event type'],
  ['event-type-prefix <prefix>', 'only event types with this prefix, such as session.'],
  [
    'category <category>',
    'only this category: authentication, authorization, application, task, user_lifecycle or configuration',
  ],
  ['severity <list>', 'only these severities, comma-separated: critical, high, medium, low, info'],
  ['actor-uuid <uuid>', 'only events of this actor'],
  ['subject-uuid <uuid>', 'only events about this subject'],
  ['actor-ip <ip>', 'only events from this IP address'],
] as const;

interface TailFlags extends Record<string, unknown> {
  url: string;
  cursorFile?: string;
  from: 'all' | 'now';
  format: 'json' | 'ocsf';
  once: boolean;
  interval: number;
}

/** `gatehouse events ...` */
export function eventsCommand(): Command {
  const events = new Command('events').description('read the event log of the organization');
  const command = events
    .command('tail')
    .description('follow the event log: write one JSON document per line to standard output')
    .addOption(
      new Option('--url <base_url>', 'base URL of the organization')
        .env('GATEHOUSE_URL')
        .makeOptionMandatory(),
    )
    .option('--cursor-file <path>', 'file that keeps the position; the next run continues from it')
    .addOption(
      new Option('--from <start>', 'where to start without a position: all existing events, or only new ones')
        .choices(['all', 'now'])
        .default('all'),
    )
    .addOption(
      new Option('--format <format>', 'Gatehouse JSON, or OCSF 1.4')
        .choices(['json', 'ocsf'])
        .default('json'),
    )
    .option('--once', 'stop when caught up', false)
    .option('--interval <seconds>', 'seconds to wait when there are no new events', seconds, 60);
  for (const [flag, description] of FILTERS) command.option(`--${flag}`, `${description}`);
  command.addHelpText('after', '\nThe key comes from GATEHOUSE_API_KEY and needs the scope events.');
  command.action((flags: TailFlags) => runTail(flags));
  return events;
}

async function runTail(flags: TailFlags): Promise<void> {
  const key = process.env.GATEHOUSE_API_KEY;
  if (key === undefined || key === '')
    throw new Error('Set GATEHOUSE_API_KEY to a key with the scope events.');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const render = flags.format === 'ocsf' ? toOcsf : (event: Event) => event;
  await tail(
    {
      baseUrl: flags.url,
      key,
      cursorFile: flags.cursorFile,
      from: flags.from,
      filters: filtersOf(flags),
      once: flags.once,
      interval: flags.interval,
    },
    {
      signal: stop.signal,
      pause: (time) => sleep(time * 1000, undefined, { signal: stop.signal }).catch(() => undefined),
      write: (page) => writeOut(page.map((event) => `${JSON.stringify(render(event))}\n`).join('')),
      report: (message) => console.error(message),
    },
  );
}

function filtersOf(flags: TailFlags): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [flag] of FILTERS) {
    const name = flag.slice(0, flag.indexOf(' '));
    const value = flags[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === 'string') filters[name.replaceAll('-', '_')] = value;
  }
  return { catalog: 'all', ...filters };
}

/**
 * A program such as `head -1` reads more than it uses, and then ends. It has ended by this time after it got the first lines of a
 * page, on a machine that is not overloaded.
 */
const READER_ENDS_MS = 250;

/**
 * Resolves when the reader has the lines. Rejects if it has closed the pipe. A pipe takes 64 KB that nobody may ever read, so the end of
 * the last line is written later than the rest: it cannot be written if the reader is gone.
 */
async function writeOut(text: string): Promise<void> {
  if (!fstatSync(process.stdout.fd).isFIFO()) return writePart(text);
  await writePart(text.slice(0, -1));
  await sleep(READER_ENDS_MS);
  await writePart(text.slice(-1));
}

const writePart = (text: string) =>
  new Promise<void>((done, fail) => {
    process.stdout.write(text, (error) => (error ? fail(error) : done()));
  });

function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1)
    throw new InvalidArgumentError('Give a whole number of seconds, 1 or more.');
  return number;
}
