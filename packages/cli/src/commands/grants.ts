import { Command, Option } from 'commander';
import { columns, print, serviceOf } from '../service.ts';

interface Flags {
  url?: string;
  app?: string;
  account?: string;
  user?: string;
  slug?: string;
  resource?: string;
  kind?: string;
  status: string;
  endsBefore?: string;
  asOf?: string;
  knownAt?: string;
  json?: true;
}

interface Grant {
  app_name: string;
  account_email: string;
  slug: string | null;
  resource: string | null;
  resource_name: string | null;
  source: { kind: string; label: string | null };
  ends_at: string | null;
  ended_at: string | null;
}

const KINDS = ['request', 'policy', 'manual', 'restore', 'business_role', 'emergency'];

export function grantsCommand(): Command {
  return new Command('grants')
    .description('list the decisions that give access')
    .option('--url <url>', 'base address of the organization')
    .option('--app <id>', 'only grants in this app')
    .option('--account <id>', 'only grants on this account')
    .option('--user <id>', 'only grants on the accounts of this person')
    .option('--slug <slug>', 'with --resource: the resource type of a group or license')
    .option('--resource <id>', 'with --slug: only grants on this group or license')
    .addOption(new Option('--kind <kind>', 'only grants of this kind of decision').choices(KINDS))
    .addOption(
      new Option('--status <status>', 'only grants with this status')
        .choices(['active', 'scheduled', 'owed', 'ended'])
        .default('active'),
    )
    .option('--ends-before <time>', 'only grants that end before this time')
    .option('--as-of <time>', 'the grants at this time')
    .option('--known-at <time>', 'with --as-of: only what was known at this time')
    .option('--json', 'print one JSON document per line')
    .action(async ({ url, json, endsBefore, asOf, knownAt, ...filter }: Flags) => {
      const { service } = serviceOf(url);
      const given = Object.entries({ ...filter, ends_before: endsBefore, as_of: asOf, known_at: knownAt });
      const query = new URLSearchParams(
        given.filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      for (let offset = 0; ; ) {
        const page = new URLSearchParams([...query, ['limit', '200'], ['offset', String(offset)]]);
        const { results, count } = (await service.http('GET', `/api/grants/?${page}`)).body as {
          results: Grant[];
          count: number;
        };
        if (json) for (const grant of results) print(JSON.stringify(grant));
        else if (results.length > 0) print(columns(results.map(lineOf)));
        offset += results.length;
        if (results.length === 0 || offset >= count) break;
      }
    });
}

const lineOf = ({
  app_name,
  account_email,
  slug,
  resource,
  resource_name,
  source,
  ends_at,
  ended_at,
}: Grant) => [
  app_name,
  account_email,
  slug === null ? 'account' : `${slug} ${resource_name || resource}`,
  ended_at === null ? (ends_at === null ? '-' : `until ${ends_at}`) : `ended ${ended_at}`,
  [source.kind, source.label].filter(Boolean).join(': '),
];
