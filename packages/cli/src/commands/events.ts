import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Event } from './events-api.ts';
import { toOcsf } from './events-ocsf.ts';
import { tail } from './events-tail.ts';

const FILTERS = [
  ['event-type <type>', 'one event type'],
  ['event-type-prefix <prefix>', 'types with this prefix, such as session.'],
  ['category <category>', 'authentication, authorization, application, task, user_lifecycle'],
  ['severity <list>', 'comma-separated: critical, high, medium, low, info'],
  ['actor-uuid <uuid>', 'what one actor did'],
  ['subject-uuid <uuid>', 'what happened to one subject'],
  ['actor-ip <ip>', 'what was done from one address'],
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
  const events = new Command('events').description('the security events of the organization');
  const command = events
    .command('tail')
    .description('write events to standard output, one JSON document a line, for ever')
    .addOption(
      new Option('--url <base_url>', 'base_url of the organization')
        .env('GATEHOUSE_URL')
        .makeOptionMandatory(),
    )
    .option('--cursor-file <path>', 'where to keep the position; the next run continues there')
    .addOption(
      new Option('--from <start>', 'without a position: everything there is, or what comes from now on')
        .choices(['all', 'now'])
        .default('all'),
    )
    .addOption(
      new Option('--format <format>', 'as the service says it, or OCSF 1.4')
        .choices(['json', 'ocsf'])
        .default('json'),
    )
    .option('--once', 'end when caught up', false)
    .option('--interval <seconds>', 'how long to wait when there is nothing new', seconds, 60);
  for (const [flag, description] of FILTERS) command.option(`--${flag}`, `${description}`);
  command.addHelpText('after', '\nThe key is taken from GATEHOUSE_API_KEY; it needs the scope events.');
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
      tell: (message) => console.error(message),
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
  return filters;
}

/** Resolves when the text has left this process; rejects when nobody takes it any more. */
const writeOut = (text: string) =>
  new Promise<void>((done, fail) => {
    process.stdout.write(text, (error) => (error ? fail(error) : done()));
  });

function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1)
    throw new InvalidArgumentError('It is a number of seconds, 1 or more.');
  return number;
}
