import { callerOf } from './kit/caller.ts';
import { waysOf } from './loud-ways.ts';

/** The process of the loud organization of the scenario `neighbors`. Its parameters are the address of the organization and a key. */
export type ToLoud = { do: 'prepare' } | { do: 'begin'; name: string } | { do: 'end' };

/** The reply to each message. */
export interface FromLoud {
  names?: string[];
  /** How many requests got which status. */
  statuses?: Record<string, number>;
}

const [base = '', key = ''] = process.argv.slice(2);
const ways = waysOf(callerOf(base, key));

let finish: (() => Promise<Record<string, number>>) | undefined;

function begin(way: Awaited<typeof ways>[number]) {
  const statuses: Record<string, number> = {};
  let isOver = false;
  const noise = Array.from({ length: way.workers }, async (_, worker) => {
    while (!isOver) {
      const status = await way.once(worker);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  finish = async () => {
    isOver = true;
    way.end?.();
    await Promise.all(noise);
    return statuses;
  };
}

async function reply(message: ToLoud): Promise<FromLoud> {
  if (message.do === 'prepare') return { names: (await ways).map(({ name }) => name) };
  if (message.do === 'end') return { statuses: (await finish?.()) ?? {} };
  const way = (await ways).find(({ name }) => name === message.name);
  if (way !== undefined) begin(way);
  return {};
}

process.on('message', (message: ToLoud) => void reply(message).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
