import { Exit, Failure, type Service } from '@gatehouse/connector';
import { Command, InvalidArgumentError } from 'commander';
import { columns, print, printError, serviceOf } from '../service.ts';

interface Flags {
  url?: string;
  reason: string;
  reference?: string;
  suspend: boolean;
  deleteAfterDays?: number | 'never';
  handOverTo?: string;
  apply?: true;
  json?: true;
}

interface Person {
  external_uuid: string;
  email: string;
}

interface Offboarding {
  dry_run: boolean;
  accounts: {
    app: { name: string };
    email: string;
    username: string;
    groups: number;
    licenses: number;
    suspend: { outcome: string };
    delete: { outcome: string; execute_after: string | null };
  }[];
  handed_over: Record<string, { found: number; moved: number }>;
  revoked_keys: number;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const MOST_DAYS = 3650;
const PAGE = 200;

/** Returns `gatehouse offboard`. */
export function offboardCommand(): Command {
  return new Command('offboard')
    .description('end the access of a person who leaves; without --apply, show what would happen')
    .argument('<person>', 'the email or the id of the person')
    .requiredOption('--reason <words>', 'recorded on every change and task')
    .option('--reference <number>', 'a number in another system, such as your help desk')
    .option('--no-suspend', 'do not suspend accounts now')
    .option('--delete-after-days <days>', 'days until accounts are deleted, or never (default: 30)', daysIn)
    .option(
      '--hand-over-to <person>',
      'the email or the id of the person who gets apps, accounts, reports and decisions',
    )
    .option('--apply', 'do it')
    .option('--url <url>', 'base address of the organization')
    .option('--json', 'print the response as JSON')
    .action(async (person: string, flags: Flags) => {
      const { reason, reference = null, suspend, deleteAfterDays: days, handOverTo, apply = false } = flags;
      const { service } = serviceOf(flags.url);
      const leaver = await personOf(service, person);
      const heir = handOverTo === undefined ? null : (await personOf(service, handOverTo)).external_uuid;
      const body = {
        ...{ dry_run: !apply, reason, reference, suspend },
        ...(days === undefined ? {} : { delete_after_days: days === 'never' ? null : days }),
        hand_over: { accounts: heir, apps: heir, reports: heir, decisions: heir },
      };
      const path = `/api/users/${leaver.external_uuid}/offboard/`;
      const result = (await service.http('POST', path, { body })).body as Offboarding;
      if (flags.json) print(JSON.stringify(result));
      else show(result);
      if (result.dry_run)
        printError(`Nothing has changed. Add --apply to offboard ${leaver.email || leaver.external_uuid}.`);
    });
}

function daysIn(text: string): number | 'never' {
  if (text === 'never') return text;
  const days = Number(text);
  if (!/^\d+$/.test(text) || days > MOST_DAYS)
    throw new InvalidArgumentError(`Give a number of days from 0 to ${MOST_DAYS}, or never.`);
  return days;
}

/** Returns the person with this id or exactly this email. */
async function personOf(service: Service, text: string): Promise<Person> {
  if (UUID.test(text)) return { external_uuid: text, email: '' };
  // The list finds parts of emails, too.
  for (let offset = 0, count = 1; offset < count; offset += PAGE) {
    const query = new URLSearchParams({ email: text, limit: String(PAGE), offset: String(offset) });
    const page = (await service.http('GET', `/api/users/?${query}`)).body as {
      count: number;
      results: Person[];
    };
    const found = page.results.find(({ email }) => email.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    count = page.count;
  }
  throw new Failure(`nobody has the email ${text}`, Exit.usage);
}

function show({ accounts, handed_over: handedOver, revoked_keys: keys }: Offboarding): void {
  const rows = accounts.map((account) => [
    account.app.name,
    account.username || account.email,
    `${account.groups} groups, ${account.licenses} licenses`,
    `suspend: ${account.suspend.outcome}`,
    `delete: ${account.delete.outcome}${account.delete.execute_after === null ? '' : ` ${account.delete.execute_after}`}`,
  ]);
  if (rows.length > 0) print(columns(rows));
  const found = Object.entries(handedOver).filter(([, one]) => one.found > 0);
  for (const [what, one] of found)
    print(`${what.replaceAll('_', ' ')}: ${one.moved} of ${one.found} handed over`);
  print(`API keys revoked: ${keys}`);
}
