import { Command } from 'commander';
import { columns, print, serviceOf } from '../service.ts';

type Flags = { url?: string; app?: string; email?: string; status?: string; json?: true };

export function accountsCommand(): Command {
  return new Command('accounts')
    .description('list accounts')
    .option('--url <url>', 'base address of the organization')
    .option('--app <id>', 'only accounts of this app')
    .option('--email <part>', 'only accounts whose email contains this')
    .option(
      '--status <status>',
      'only accounts with this status: ACTIVE, INACTIVE, INVITED, NEW or SUSPENDED',
    )
    .option('--json', 'print one JSON document per line')
    .action(async (flags: Flags) => {
      const { app, email, status } = flags;
      const { service } = serviceOf(flags.url);
      const query = Object.fromEntries(
        Object.entries({ app, email, status }).filter(([, value]) => value !== undefined),
      ) as Record<string, string>;
      // One list page at a time, so that a million accounts never sit in memory.
      for (let offset = 0; ; ) {
        const { results, count } = await service.listAccounts({
          ...query,
          limit: '200',
          offset: String(offset),
        });
        if (flags.json) for (const account of results) print(JSON.stringify(account));
        else if (results.length > 0)
          print(columns(results.map((each) => [each.status, each.external_uuid, each.app.name, each.email])));
        offset += results.length;
        if (results.length === 0 || offset >= count) break;
      }
    });
}
