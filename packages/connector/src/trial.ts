import { withoutCandidates } from './candidates.ts';
import { counted } from './counted.ts';
import type { Connector, TypeEntry } from './define.ts';
import { itemsOf, typesOf } from './define.ts';
import { reason, TaskError } from './errors.ts';
import { unlessAborted } from './interrupt.ts';
import { type LookAlikes, lookAlikes } from './look-alikes.ts';
import type { Log } from './progress.ts';
import { type AnyRecord, problemsOf, type Slugs, slugsOf } from './records.ts';
import { checkedUnseen, sumsOf, type UnseenEntry, type UnseenSum, unseenWords } from './unseen-entries.ts';

/** One step of a test: reaching the system, signing in, or listing a resource type. */
export type Step = {
  step: 'reach' | 'sign_in' | 'list';
  /** The resource type that is listed. */
  type?: string;
  status: 'ok' | 'failed' | 'skipped';
  duration_ms: number;
  message: string;
  /** The sums of what the first pages of the list do not show (D81). */
  unseen?: UnseenSum[];
};

/** The first records of a resource type, and the records among them that would not be pushed. */
export type Preview = {
  slug: string;
  type: TypeEntry['kind'];
  name: string;
  records: AnyRecord[];
  /** Whether the system has further records. */
  more: boolean;
  skipped: { id: string; reason: string }[];
};

export type Trial = { connector: Connector; signal: AbortSignal; log: Log };

const mostRecords = 20;
const mostSkipped = 20;
/** A list that does not say where its pages end is read this far, so that most second pages are. */
const MOST_TRIED = 1000;
const MOST_MS = 15_000;

/** How a connection fails before the system can judge credentials: errors of sockets, names, addresses and certificates. */
const unreachable =
  /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE|ERR_TLS|ERR_SSL|ERR_INVALID_URL|CERT_|UND_ERR|EPROTO|EADDRNOTAVAIL|EACCES|ERR_PROXY|HPE_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/**
 * Reaches the system, signs in, and lists the first two pages of each resource type, because the address of the second one may be
 * wrong. `open` connects, and returns the system.
 * A step that depends on a failed one is skipped.
 */
export async function testConnector(trial: Trial, open: () => Promise<unknown>) {
  const { connector } = trial;
  const steps: Step[] = [];
  const begun = performance.now();
  let system: unknown;
  try {
    system = await open();
    if (connector.check) await unlessAborted(connector.check(system), trial.signal);
  } catch (error) {
    trial.signal.throwIfAborted();
    return { ok: false, steps: stepsWithout(connector, error, begun) };
  }
  steps.push({ step: 'reach', status: 'ok', duration_ms: since(begun), message: 'The system replied.' });
  steps.push({
    step: 'sign_in',
    ...(connector.check
      ? { status: 'ok', duration_ms: since(begun), message: 'The credentials work.' }
      : { status: 'skipped', duration_ms: 0, message: 'This connector signs in when it lists.' }),
  });
  const names = lookAlikes();
  for (const entry of typesOf(connector)) {
    const { step, error } = await listStep(trial, system, entry, names);
    // A connector without a check may not have connected before.
    if (!connector.check && steps.length === 2 && isUnreachable(error))
      return { ok: false, steps: stepsWithout(connector, error, begun) };
    steps.push(step);
  }
  names.say(trial.log);
  return { ok: steps.every(({ status }) => status !== 'failed'), steps };
}

/** Returns the steps of a test that did not get as far as listing. */
function stepsWithout(connector: Connector, error: unknown, begun: number): Step[] {
  const failed = {
    status: 'failed',
    duration_ms: since(begun),
    message: sentence(explain(connector, error)),
  } as const;
  const skipped = { status: 'skipped', duration_ms: 0, message: 'An earlier step failed.' } as const;
  const isReached = !isUnreachable(error);
  return [
    { step: 'reach', ...(isReached ? { ...failed, status: 'ok', message: 'The system replied.' } : failed) },
    { step: 'sign_in', ...(isReached ? failed : skipped) },
    ...typesOf(connector).map(({ slug }) => ({ step: 'list' as const, type: slug, ...skipped })),
  ];
}

/** Lists the first pages of a resource type. Returns the step, and the error with which it failed. */
async function listStep(
  { connector, signal, log }: Trial,
  system: unknown,
  { slug, kind, type }: TypeEntry,
  names: LookAlikes,
): Promise<{ step: Step; error?: unknown }> {
  const start = performance.now();
  const problems: string[] = [];
  const types = typesOf(connector);
  const entries = new Map<string, UnseenEntry>();
  let mayShift = false;
  const context = {
    ...{ from: undefined, signal, log },
    skip: (id: string, why: string) => void problems.push(`'${id}': ${why}`),
    mayShift: () => {
      mayShift = true;
    },
    unseen: (what: Parameters<typeof checkedUnseen>[1]) => {
      const entry = checkedUnseen(types, what);
      const key = JSON.stringify([entry.slug, entry.id, entry.rule]);
      if (entry.count > 0) entries.set(key, entry);
      else entries.delete(key);
    },
  };
  const step = (status: Step['status'], message: string, error?: unknown) => {
    const unseen = sumsOf(types, entries.values());
    const withUnseen = unseen.length === 0 ? message : `${message} Not shown: ${unseenWords(unseen)}.`;
    const ended = { step: 'list' as const, type: slug, status, duration_ms: since(start) };
    return { step: { ...ended, message: withUnseen, ...(unseen.length > 0 ? { unseen } : {}) }, error };
  };
  try {
    const tried = await firstPages(
      itemsOf(type, system, context),
      () => mayShift,
      start,
      (record) => {
        if (kind !== 'account' && 'name' in record) names.add(slug, record.name);
      },
    );
    if (tried.records > 0) return step('ok', wordsOf(tried));
    return problems.length === 0
      ? step('ok', 'There are no records.')
      : step('failed', sentence(`The first records cannot be read: ${problems[0]}`));
  } catch (error) {
    signal.throwIfAborted();
    return step('failed', sentence(explain(connector, error)), error);
  }
}

/** Returns the first records of each resource type as a sync would push them, and the ones that it would skip. */
export async function previewConnector(
  { connector, signal, log }: Trial,
  system: unknown,
): Promise<Preview[]> {
  const slugs = slugsOf(connector);
  const previews: Preview[] = [];
  for (const entry of typesOf(connector))
    previews.push(await previewType({ connector, signal, log }, system, entry, slugs));
  return previews;
}

async function previewType(
  { signal, log }: Trial,
  system: unknown,
  { slug, kind, type }: TypeEntry,
  slugs: Slugs,
): Promise<Preview> {
  const preview: Preview = { slug, type: kind, name: type.name, records: [], more: false, skipped: [] };
  const skip = (id: string, why: string) => {
    if (preview.skipped.length < mostSkipped) preview.skipped.push({ id, reason: sentence(why) });
    else preview.more = true;
  };
  for await (const record of recordsOf(itemsOf(type, system, { from: undefined, signal, log, skip }))) {
    if (preview.records.length === mostRecords || preview.skipped.length === mostSkipped) {
      preview.more = true;
      break;
    }
    const problems = problemsOf(kind, record, slugs);
    if (problems.length > 0) skip(String((record as { id?: unknown }).id), problems.join('; '));
    else preview.records.push(withoutCandidates(record));
  }
  return preview;
}

async function* recordsOf(listing: ReturnType<typeof itemsOf>): AsyncGenerator<AnyRecord> {
  for await (const item of listing) yield* 'records' in item ? item.records : [item];
}

/** The records that were read: all, those of the first page if there is a second one, or only the first ones of a long list. */
type Tried = { records: number; isCut: boolean; hasSecond: boolean };

/**
 * Reads up to the second page with records. Of a list that yields single records, only `mayShift` shows that the second page was
 * requested: it has arrived with the next record.
 */
async function firstPages(
  listing: ReturnType<typeof itemsOf>,
  mayShift: () => boolean,
  start: number,
  take: (record: AnyRecord) => void,
): Promise<Tried> {
  let records = 0;
  for await (const item of listing) {
    const isPage = 'records' in item;
    const page = isPage ? item.records : [item];
    if (page.length === 0) continue;
    const isEnough = isPage ? records > 0 : records >= mostRecords && mayShift();
    if (isEnough) return { records, isCut: false, hasSecond: true };
    for (const record of page) take(record);
    records += page.length;
    const isLong = records >= MOST_TRIED || (records >= mostRecords && since(start) > MOST_MS);
    if (!isPage && isLong) return { records, isCut: true, hasSecond: false };
  }
  return { records, isCut: false, hasSecond: false };
}

function wordsOf({ records, isCut, hasSecond }: Tried): string {
  if (isCut) return `The first ${records} records can be read.`;
  const first = `The first page has ${counted(records, 'record')}`;
  return hasSecond ? `${first}, and the second one can be read.` : `${first}.`;
}

const since = (start: number) => Math.round(performance.now() - start);

const explain = ({ mapError }: Connector, error: unknown) => reason(mapError?.(error) ?? error);

/** A connector may mark an error that names no code with `isUnreachable`. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TaskError && error.code === 'TIMEOUT') return true;
  if (!(error instanceof Error)) return false;
  const { code, isUnreachable: isMarked } = error as { code?: unknown; isUnreachable?: unknown };
  if (isMarked === true) return true;
  if (typeof code === 'string' && unreachable.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return isUnreachable(error.cause);
}

/** Begins with a capital letter and ends with a period. */
const sentence = (text: string) => {
  const line = text.trim();
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? '' : '.'}`;
};
