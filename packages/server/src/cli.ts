import { parseArgs } from 'node:util';
import { readConfig } from '#config.ts';
import { DomainError } from '#kit/errors.ts';
import { originAt } from '#kit/http/listening.ts';
import { startFailureOf } from '#kit/start-failure.ts';
import { openData } from '#startup.ts';
import { VERSION } from '../../protocol/src/version.ts';
import { backups } from './commands/backups.ts';
import { cluster } from './commands/cluster.ts';
import { type Area, type Terminal, UsageError } from './commands/command.ts';
import { connectors } from './commands/connectors.ts';
import { events } from './commands/events.ts';
import { history } from './commands/history.ts';
import { move } from './commands/move.ts';
import { organizations } from './commands/organizations.ts';
import { people } from './commands/people.ts';
import { secrets } from './commands/secrets.ts';

/** The operator's command. It works on the database directly, with the settings of the server (D40). */

/** In the order of the usage. */
const AREAS: Area[] = [organizations, backups, move, people, secrets, connectors, events, history, cluster];

export const USAGE = `gatehouse-server [<command>]

  start                         start the server, as without a command

${AREAS.map(({ usage }) => usage).join('\n\n')}

  --version                     print the version

The commands read the settings of the server. With PostgreSQL, they work while servers run. With the embedded database,
stop the server first.`;

const COMMANDS = new Map(AREAS.flatMap(({ commands = {} }) => Object.entries(commands)));
const ALONE = new Map(AREAS.flatMap(({ alone = {} }) => Object.entries(alone)));

function parse(argv: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        'admin-email': { type: 'string' },
        reason: { type: 'string' },
        force: { type: 'boolean' },
        shards: { type: 'string' },
        'remove-second-factor': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    return { positionals, values };
  } catch {
    throw new UsageError();
  }
}

/** Runs a command. Returns the exit code. */
export async function run(argv: string[], terminal: Terminal): Promise<number> {
  const print = (line: string) => terminal.stdout.write(`${line}\n`);
  try {
    const { positionals, values } = parse(argv);
    if (values.help || argv.length === 0) {
      print(USAGE);
      return 0;
    }
    if (values.version) {
      print(VERSION);
      return 0;
    }
    const alone = ALONE.get(positionals[0] ?? '');
    if (alone !== undefined) {
      print(await alone(terminal, positionals.slice(1)));
      return 0;
    }
    const command = COMMANDS.get(positionals.slice(0, 2).join(' '));
    if (command === undefined) throw new UsageError();
    const config = readConfig(terminal.env);
    const opened = await openData(config);
    try {
      const words = positionals.slice(2);
      const origin = config.publicUrl ?? originAt(config);
      print(await command({ ...opened, config, origin, words, options: values, terminal }));
    } finally {
      await opened.database.close();
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.stderr.write(`${USAGE}\n`);
      return 2;
    }
    // Never print another error object: a database error contains the values of its statement.
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    terminal.stderr.write(`${error instanceof DomainError ? message : (startFailureOf(error) ?? stack)}\n`);
    return 1;
  }
}
