import type { ChildOutcome } from './child.ts';
import { type Kind, PROBLEMS, type Problem } from './connector.ts';
import type { Ending } from './queries/running.ts';

const LONGEST_ERROR = 2000;

/** The meanings of the exit codes of connectors (docs/guides/connectors.md), for one that gives no reason. */
const MEANINGS: Record<number, string> = {
  2: 'The settings of the connector are not valid.',
  4: 'The system or Gatehouse refused the credentials.',
  5: 'The sync was abandoned. Nothing was removed.',
  7: 'The system was too busy or too slow. A later run may succeed.',
};

/** Why a node ended a run. */
export type Stopped = 'cancelled' | 'shutdown' | 'stalled';

/** Returns the state and the sentence with which a run ends. `stopped` is why this node ended it, if it did. */
export function endingOf(
  kind: Kind,
  { ending, code, killedBy, output, log }: ChildOutcome,
  { stopped, limitMs, stallMs }: { stopped: Stopped | undefined; limitMs: number; stallMs: number },
): Ending {
  const ended = (state: Ending['state'], error: string | null, more: Partial<Ending> = {}): Ending => ({
    state,
    error: error === null ? null : storable(error.slice(0, LONGEST_ERROR)),
    log: storable(log),
    counts: null,
    result: null,
    problem: null,
    ...more,
  });
  if (stopped === 'stalled' && ending === 'stopped')
    return ended(
      'timed_out',
      `The connector sent nothing to Gatehouse for ${inWords(stallMs)}, so Gatehouse ended it.`,
    );
  if (ending === 'stopped')
    return stopped === 'cancelled'
      ? ended('cancelled', null)
      : ended('lost', 'The node stopped during the run.');
  if (ending === 'timed_out')
    return ended('timed_out', `The run took longer than ${inWords(limitMs)}, so Gatehouse ended it.`);
  if (ending === 'out_of_memory')
    return ended('failed', 'The connector needed more memory than a run may use, so it was ended.');
  if (killedBy !== null) return ended('failed', `The process of the connector was killed (${killedBy}).`);
  if (output === undefined) return ended('failed', 'The connector printed more than a run may return.');
  const printed = resultIn(output);
  if (printed !== undefined && 'error' in printed) return failure(kind, code, printed, ended);
  if (kind === 'test' || kind === 'preview') return trialEnding(kind, code, printed, ended);
  const counts = printed ?? null;
  return code === 0 ? ended('succeeded', null, { counts }) : ended('failed', meaningOf(code), { counts });
}

type End = (state: Ending['state'], error: string | null, more?: Partial<Ending>) => Ending;

/** The version of the results that this server reads (docs/guides/connectors.md). */
const RESULT_VERSION = 1;

/** The output of a connector whose command failed. */
interface Printed {
  error?: unknown;
  outcome?: unknown;
  objection?: unknown;
}

/** A sync of these outcomes has read everything. */
const READ: readonly unknown[] = ['stopped_by_guard', 'records_skipped'];
const isProblem = (outcome: unknown): outcome is Problem => PROBLEMS.some((problem) => problem === outcome);

function failure(kind: Kind, code: number | null, printed: Printed, ended: End): Ending {
  const { error, outcome, objection } = printed;
  const result = kind === 'sync' && READ.includes(outcome) ? { outcome } : null;
  // The connector's own advice is about its command line.
  const why =
    result?.outcome === 'stopped_by_guard' && typeof objection === 'string'
      ? `The guard has stopped the sync: ${objection}. Nothing was changed. If this is right, start a sync that accepts it.`
      : typeof error === 'string' && error !== ''
        ? sentence(error)
        : meaningOf(code);
  return ended('failed', why, { result, problem: isProblem(outcome) ? outcome : null });
}

function trialEnding(
  kind: 'test' | 'preview',
  code: number | null,
  result: object | undefined,
  ended: End,
): Ending {
  if (result === undefined) return ended('failed', meaningOf(code));
  if (kind === 'preview' || code === 0) return ended('succeeded', null, { result });
  const { steps = [] } = result as { steps?: { status: string; message: string }[] };
  const failed = steps.find(({ status }) => status === 'failed');
  return ended('failed', failed?.message ?? meaningOf(code), { result });
}

const meaningOf = (code: number | null) =>
  MEANINGS[code ?? -1] ?? `The connector ended with exit code ${code}, and did not say why.`;

/** Returns the reason that a connector gave, with its first letter in upper case. */
const sentence = (reason: string) =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;

/** Returns a text without what PostgreSQL cannot store. Records and replies of other systems may have it. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();

function storableValue(_: string, value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), each]));
}

/** Returns what the connector printed, without its version. Undefined: it printed nothing, or of another version. */
function resultIn(output: string): object | undefined {
  try {
    const { version, ...printed } = JSON.parse(output, storableValue) as { version?: unknown };
    return version === RESULT_VERSION ? printed : undefined;
  } catch {
    return undefined;
  }
}

function inWords(ms: number): string {
  const [count, unit] =
    ms >= 3_600_000
      ? [ms / 3_600_000, 'hour']
      : ms >= 60_000
        ? [ms / 60_000, 'minute']
        : [Math.ceil(ms / 1000), 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
