import { createInterface } from 'node:readline';
import { counted } from '../counted.ts';
import type { AccountRecord } from '../define.ts';
import { pushDelta } from '../delta.ts';
import { Exit, Failure } from '../errors.ts';
import { type AnyRecord, countRefs } from '../records.ts';
import type { Run } from '../sync.ts';
import {
  type Command,
  type Context,
  jsonOption,
  resultJson,
  serviceOptions,
  systemOptions,
  withRun,
} from './context.ts';

export const push: Command = {
  summary: 'push single records without changing others',
  options: {
    ...systemOptions,
    ...serviceOptions,
    ...jsonOption,
    type: { type: 'string', value: 'SLUG', description: 'resource type of the records' },
    id: {
      type: 'string',
      multiple: true,
      value: 'ID',
      description: 'id of a record to read and push (default: JSON lines from standard input)',
    },
  },
  async run(context) {
    const { values, print } = context;
    const { pushed, memberships } = await withRun(context, async (run) => {
      const records = await recordsFor(context, run);
      return { pushed: await pushDelta(run, records), memberships: membershipsIn(records) };
    });
    const what = Object.entries(pushed).map(([slug, count]) => `${count} ${slug}`);
    if (memberships > 0) what.push(counted(memberships, 'membership'));
    print(values.json ? resultJson({ pushed, memberships }) : `pushed ${what.join(', ') || 'nothing'}`);
    return Exit.ok;
  },
};

const membershipsIn = (records: Record<string, AnyRecord[]>): number =>
  Object.values(records)
    .flat()
    .reduce((sum, record) => sum + countRefs(record as AccountRecord), 0);

async function recordsFor(context: Context, run: Run): Promise<Record<string, AnyRecord[]>> {
  const ids = context.values.id;
  return Array.isArray(ids) ? readBack(context, run, ids.map(String)) : fromLines(context);
}

async function readBack(
  { values }: Context,
  { connector, system }: Run,
  ids: string[],
): Promise<Record<string, AnyRecord[]>> {
  const slug = String(values.type ?? Object.keys(connector.accounts)[0]);
  const get = connector.accounts[slug]?.get;
  if (!get) throw new Failure(`${connector.name} cannot read one ${slug} by its id`, Exit.usage);
  const records: AccountRecord[] = [];
  for (const id of ids) {
    const record = await get(system, id);
    if (!record) throw new Failure(`no ${slug} has the id '${id}'; a full sync removes records`, Exit.failed);
    records.push(record);
  }
  return { [slug]: records };
}

/** Reads one record per line. Its `type` is the resource type unless --type is given. */
async function fromLines({ stdin, values }: Context): Promise<Record<string, AnyRecord[]>> {
  if (values['secrets-stdin'])
    throw new Failure('standard input cannot hold both secrets and records', Exit.usage);
  const delta: Record<string, AnyRecord[]> = {};
  let number = 0;
  for await (const line of createInterface({ input: stdin })) {
    number++;
    if (line.trim() === '') continue;
    const { type, ...record } = parse(line, number);
    const slug = String(values.type ?? type ?? '');
    if (!slug) throw new Failure(`line ${number} has no "type"; give --type`, Exit.usage);
    const records = delta[slug] ?? [];
    records.push(record as AnyRecord);
    delta[slug] = records;
  }
  return delta;
}

function parse(line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Failure(`line ${number} is not a JSON object`, Exit.usage);
}
