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
    .description('create a new connector that runs as is')
    .argument('[folder]', 'target folder, created if missing', '.')
    .option('--name <name>', 'name of the connector (default: the name of the folder)')
    .option('--tasks', 'include the six provisioning actions')
    .option('--sdk <version>', 'version, file or URL of @gatehouse/connector', '^0.1.0')
    .action(async (folder: string, { name, sdk, tasks }: Flags) => {
      const target = resolve(folder);
      const called =
        name ??
        basename(target)
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^[^a-z]+|-+$/g, '');
      if (!/^[a-z][a-z0-9-]{0,62}$/.test(called)) {
        throw new Failure('give --name with lowercase letters, digits and hyphens', Exit.usage);
      }
      const files = templateFiles({ name: called, sdk, tasks: tasks === true });
      const existing = Object.keys(files).filter((file) => existsSync(join(target, file)));
      if (existing.length > 0)
        throw new Failure(`${target} already has ${existing.join(', ')}; nothing was written`, Exit.usage);
      await mkdir(target, { recursive: true });
      for (const [file, content] of Object.entries(files)) await writeFile(join(target, file), content);
      print(
        `Wrote ${Object.keys(files).join(', ')} in ${target}.\n\nNext:\n  npm install\n  node connector.ts list`,
      );
    });
}
