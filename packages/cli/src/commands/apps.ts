import { Command } from 'commander';
import { columns, print, serviceOf } from '../service.ts';

export function appsCommand(): Command {
  const apps = new Command('apps').description('list or create apps');
  apps
    .command('list')
    .description('list the apps that the key may access')
    .option('--url <url>', 'base address of the organization')
    .option('--json', 'print JSON')
    .action(async ({ url, json }: { url?: string; json?: true }) => {
      const found = await serviceOf(url).service.listApps();
      if (json) print(JSON.stringify(found));
      else if (found.length === 0) print('No apps.');
      else
        print(columns(found.map(({ id, name, configuration_status }) => [id, configuration_status, name])));
    });
  apps
    .command('create')
    .description('create an app and print its id')
    .argument('<name>', 'name of the app')
    .option('--url <url>', 'base address of the organization')
    .option('--json', 'print JSON')
    .action(async (name: string, { url, json }: { url?: string; json?: true }) => {
      const app = await serviceOf(url).service.createApp(name);
      print(json ? JSON.stringify(app) : app.id);
    });
  return apps;
}
