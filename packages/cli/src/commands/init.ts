import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Exit, Failure, VERSION } from '@gatehouse/connector';
import { Command, Option } from 'commander';
import { print, printError } from '../service.ts';
import { codeFiles } from '../template-code.ts';
import { restFiles } from '../template-rest.ts';
import { type Engine, engines, sqlFiles } from '../template-sql.ts';

const types = {
  code: 'TypeScript, for any system',
  sql: 'a YAML file, for an application with an SQL database',
  rest: 'a YAML file, for an application with a REST API',
};
type Type = keyof typeof types;
type Flags = { type?: Type; engine?: Engine; name?: string; sdk: string; tasks?: true };

export function initCommand(): Command {
  return new Command('init')
    .description('create a new connector that runs as is, or a definition for a database or a REST API')
    .argument('[folder]', 'target folder, created if missing', '.')
    .addOption(
      new Option('--type <type>', 'kind of connector (default: code; a terminal is asked)').choices(
        Object.keys(types),
      ),
    )
    .addOption(new Option('--engine <engine>', 'database of --type sql (default: postgres)').choices(engines))
    .option('--name <name>', 'name of the connector (default: the name of the folder)')
    .option('--tasks', 'include provisioning actions')
    .option('--sdk <version>', 'version, file or URL of @gatehouse/connector, for code', `^${VERSION}`)
    .action(async (folder: string, flags: Flags) => {
      const target = resolve(folder);
      const name = flags.name ?? nameOf(target);
      if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
        throw new Failure('give --name with lowercase letters, digits and hyphens', Exit.usage);
      }
      const type = flags.type ?? (flags.engine ? 'sql' : await askForType());
      if (flags.engine && type !== 'sql')
        throw new Failure('--engine is for --type sql; leave it out', Exit.usage);
      const files = filesOf(type, name, flags);
      const existing = Object.keys(files).filter((file) => existsSync(join(target, file)));
      if (existing.length > 0)
        throw new Failure(`${target} already has ${existing.join(', ')}; nothing was written`, Exit.usage);
      await mkdir(target, { recursive: true });
      for (const [file, content] of Object.entries(files)) await writeFile(join(target, file), content);
      const next =
        type === 'code'
          ? '  npm install\n  node connector.ts list'
          : `  gatehouse connector check ${name}.yml`;
      print(`Wrote ${Object.keys(files).join(', ')} in ${target}.\n\nNext:\n${next}`);
    });
}

const nameOf = (folder: string) =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');

function filesOf(type: Type, name: string, { sdk, engine = 'postgres', ...flags }: Flags) {
  const tasks = flags.tasks === true;
  if (type === 'sql') return sqlFiles({ name, engine, tasks });
  return type === 'rest' ? restFiles({ name, tasks }) : codeFiles({ name, sdk, tasks });
}

/** Asks a person at a terminal. Scripts get a connector in code. */
async function askForType(): Promise<Type> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return 'code';
  for (const [type, about] of Object.entries(types)) printError(`  ${type.padEnd(6)}${about}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = (await terminal.question('Kind of connector [code]: ')).trim() || 'code';
  terminal.close();
  if (!Object.hasOwn(types, answer))
    throw new Failure(`"${answer}" is not one of ${Object.keys(types).join(', ')}`, Exit.usage);
  return answer as Type;
}
