import { type Connector, commands, Exit, Failure, interruptible, runCommandLine } from '@gatehouse/connector';
import { Command } from 'commander';
import pc from 'picocolors';
import { asArguments, optionOf } from '../flags.ts';
import { loadConnector } from '../load-connector.ts';
import { bounded } from '../sample.ts';
import { columns, print, printError } from '../service.ts';

type Listed = { type: string; id: string } & Record<string, unknown>;
const MOST = 10_000;

export function tryCommand(): Command {
  const command = new Command('try')
    .description('list the first records of each type from the real system, and send nothing to Gatehouse')
    .argument('<file>', 'YAML file, or a connector in code')
    .option('--limit <records>', 'records of each type', '20')
    .option('--json', 'print each record as a JSON line');
  for (const [name, option] of Object.entries(commands.list?.options ?? {}))
    command.addOption(optionOf(name, option));
  return command.action(
    async (
      path: string,
      { limit, json, ...flags }: { limit: string; json?: true } & Record<string, unknown>,
    ) => {
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > MOST)
        throw new Failure(`--limit takes a number from 1 to ${MOST}`, Exit.usage);
      const { connector } = await loadConnector(path);
      const sample = bounded(connector, most);
      const lines: string[] = [];
      const { env, stdin, stderr } = process;
      const stdout = json ? process.stdout : { write: (text: string) => void lines.push(text) };
      const terminal = { env, stdin, stdout, stderr, signal: interruptible() };
      process.exitCode = await runCommandLine(sample.connector, ['list', ...asArguments(flags)], terminal);
      if (!json)
        printTables(
          connector,
          lines.map((line) => JSON.parse(line) as Listed),
        );
      for (const slug of sample.cut)
        printError(
          `Only the first ${most === 1 ? 'record' : `${most} records`} of ${slug} ${most === 1 ? 'is' : 'are'} listed. --limit lists more.`,
        );
    },
  );
}

function printTables({ groups, licenses, accounts }: Connector, records: Listed[]): void {
  for (const [slug, { name }] of Object.entries({ ...groups, ...licenses, ...accounts })) {
    const rows = records.filter(({ type }) => type === slug).map(rowOf);
    if (rows.length > 0) print(`${pc.bold(`${name} (${slug}): ${rows.length}`)}\n${columns(rows)}\n`);
  }
}

/** Returns the fields of a record that people compare first: the id, names and state, then what it holds. */
function rowOf(record: Listed): string[] {
  const { type: _type, id, memberships, assignments, ...others } = record;
  const known = ['name', 'username', 'email', 'first_name', 'last_name', 'display_name', 'status'];
  const names = known.flatMap((key) => (typeof others[key] === 'string' ? [others[key]] : []));
  const held = [memberships, assignments].flatMap((by) =>
    Object.entries((by ?? {}) as Record<string, { id: string }[]>).flatMap(([slug, refs]) =>
      refs.length > 0 ? [`${slug}: ${refs.map((ref) => ref.id).join(', ')}`] : [],
    ),
  );
  return [id, [...new Set(names)].join('  '), held.join('; ')].filter(
    (field, at) => at === 0 || field !== '',
  );
}
