import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Exit, Failure } from '@gatehouse/connector';
import { Command } from 'commander';
import { print } from '../service.ts';
import { templateFiles } from '../template.ts';

type Flags = { name?: string; sdk: string; tasks?: true };

export function initCommand(): Command {
  return new Command('init')
    .description('write a new connector that runs as it stands')
    .argument('[folder]', 'where; made if need be', '.')
    .option('--name <name>', 'of the connector; the name of the folder unless told')
    .option('--tasks', 'with the six provisioning tasks to fill in')
    .option('--sdk <version>', 'version of @gatehouse/connector, or a file or address of it', '^0.1.0')
    .action(async (folder: string, { name, sdk, tasks }: Flags) => {
      const target = resolve(folder);
      const called =
        name ??
        basename(target)
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^[^a-z]+|-+$/g, '');
      if (!/^[a-z][a-z0-9-]{0,62}$/.test(called)) {
        throw new Failure('give --name: lower case letters, digits and hyphens', Exit.usage);
      }
      const files = templateFiles({ name: called, sdk, tasks: tasks === true });
      const there = Object.keys(files).filter((file) => existsSync(join(target, file)));
      if (there.length > 0)
        throw new Failure(`${there.join(', ')} exist already in ${target}; nothing was written`, Exit.usage);
      await mkdir(target, { recursive: true });
      for (const [file, content] of Object.entries(files)) await writeFile(join(target, file), content);
      print(
        `Wrote ${Object.keys(files).join(', ')} in ${target}.\n\nNext:\n  npm install\n  node connector.ts list`,
      );
    });
}
