import { type Connector, Exit, Failure } from '@gatehouse/connector';
import { Command } from 'commander';
import { readDefinition } from '../definition.ts';
import { print, printError } from '../service.ts';

type Mistake = { line: number | null; column: number | null; message: string };

export function checkCommand(): Command {
  return new Command('check')
    .description('check YAML files without connecting to anything')
    .argument('<file...>', 'YAML files for the sql or rest connector')
    .option('--json', 'print one JSON document per file')
    .action(async (files: string[], { json }: { json?: true }) => {
      for (const file of files) {
        const report = await check(file);
        if (report.mistakes.length > 0) process.exitCode = Exit.usage;
        if (json) {
          print(JSON.stringify(report));
          continue;
        }
        for (const each of report.warnings) printError(`warning: ${placed(file, each)}`);
        if (report.types !== undefined) print(`${file} is valid: ${summaryOf(report)}`);
        else printError(report.mistakes.map((each) => placed(file, each)).join('\n'));
      }
    });
}

async function check(file: string) {
  try {
    const { kind, connector } = await readDefinition(file);
    const settings = Object.entries(connector.config).map(([name, { secret, required }]) => ({
      name,
      secret,
      required,
    }));
    const warnings = (connector.warnings ?? []).flatMap((each) => mistakesOf(file, each));
    return {
      file,
      kind,
      mistakes: [],
      warnings,
      types: typesOf(connector),
      actions: actionsOf(connector),
      settings,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { file, warnings: [], mistakes: mistakesOf(file, error.message) };
  }
}

const typesOf = ({ accounts, groups = {}, licenses = {} }: Connector) => ({
  accounts: Object.keys(accounts),
  groups: Object.keys(groups),
  licenses: Object.keys(licenses),
});

const actionsOf = ({ tasks = {} }: Connector) => Object.keys(tasks).filter((name) => name !== 'find');

function summaryOf({ types, actions }: { types: Record<string, string[]>; actions: string[] }): string {
  return Object.entries({ ...types, actions })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.join(', ')}`)
    .join('; ');
}

/** Takes a message apart that has a line `file:line:column: message` for each mistake. */
function mistakesOf(file: string, message: string): Mistake[] {
  return message.split('\n').map((text) => {
    const [, line, column, rest] =
      /^:(\d+):(\d+): (.*)$/s.exec(text.startsWith(file) ? text.slice(file.length) : '') ?? [];
    return rest === undefined
      ? { line: null, column: null, message: text }
      : { line: Number(line), column: Number(column), message: rest };
  });
}

const placed = (file: string, { line, column, message }: Mistake) =>
  line === null ? message : `${file}:${line}:${column}: ${message}`;
