import { Command } from 'commander';
import { columns, print, serviceOf } from '../service.ts';

interface Proof {
  links: { step: string; state: string; at: string | null; by: { email: string } | null; label: string }[];
}

/** Returns `gatehouse proof`. */
export function proofCommand(): Command {
  return new Command('proof')
    .description('show the proof of a removal, from its decision to the sync that showed it gone')
    .argument('<task>', 'the id of the task')
    .option('--url <url>', 'base address of the organization')
    .option('--json', 'print the whole proof as JSON')
    .action(async (task: string, { url, json }: { url?: string; json?: true }) => {
      const { service } = serviceOf(url);
      const { body } = await service.http('GET', `/api/tasks/${encodeURIComponent(task)}/proof/`);
      if (json) print(JSON.stringify(body));
      else
        print(
          columns(
            (body as Proof).links.map(({ step, state, at, by, label }) => [
              ...[step, state, at ?? '-', label],
              by?.email ?? '',
            ]),
          ),
        );
    });
}
