import type { ChildOutcome } from './child.ts';
import type { Kind, Run } from './connector.ts';
import type { Ending } from './queries/running.ts';

const LONGEST_ERROR = 2000;

/** The exit codes of connectors (docs/connectors.md) that leave no reason in the log. */
const MEANINGS: Record<number, string> = {
  2: 'The settings of the connector are not valid.',
  4: 'The system or Gatehouse refused the credentials.',
  5: 'The sync was abandoned. Nothing was removed.',
  7: 'The system was too busy or too slow. A later run may succeed.',
};

/** Returns the state and the sentence with which a run ends. `stopped` is why this node ended it, if it did. */
export function endingOf(
  kind: Kind,
  { ending, code, killedBy, output, log }: ChildOutcome,
  { stopped, limitMs }: { stopped: 'cancelled' | 'shutdown' | undefined; limitMs: number },
): Ending {
  const ended = (state: Ending['state'], error: string | null, more: Partial<Ending> = {}): Ending => ({
    state,
    error: error === null ? null : storable(error.slice(0, LONGEST_ERROR)),
    log: storable(log),
    counts: null,
    result: null,
    ...more,
  });
  if (ending === 'stopped')
    return stopped === 'cancelled'
      ? ended('cancelled', null)
      : ended('lost', 'The node stopped during the run.');
  if (ending === 'timed_out')
    return ended('timed_out', `The run took longer than ${inWords(limitMs)}, so Gatehouse ended it.`);
  if (ending === 'out_of_memory')
    return ended('failed', 'The connector needed more memory than a run may use, so it was ended.');
  if (killedBy !== null) return ended('failed', `The process of the connector was killed (${killedBy}).`);
  const printed = parse(output);
  if (output === undefined) return ended('failed', 'The connector printed more than a run may return.');
  if (kind === 'test' || kind === 'preview') return trialEnding(kind, code, printed, log, ended);
  if (code === 0) return ended('succeeded', null, { counts: printed });
  const stoppedBy = guardReasonIn(log);
  const hasPushed = stoppedBy !== undefined || SKIPPED.test(log);
  return ended('failed', stoppedBy ?? reasonIn(log) ?? meaningOf(code), {
    counts: printed,
    result: kind === 'sync' && hasPushed ? { pushed: true } : null,
  });
}

/** A sync that read everything and pushed the records that are valid. */
const SKIPPED = /^error: \d+ records were skipped, so the session was abandoned/m;
const STOPPED = 'The guard has stopped the sync: ';

/** Whether a sync ended because it would have removed too much. */
export const isStoppedByGuard = ({ kind, state, error }: Pick<Run, 'kind' | 'state' | 'error'>): boolean =>
  kind === 'sync' && state === 'failed' && error?.startsWith(STOPPED) === true;

/** The connector's own advice is about its command line. */
function guardReasonIn(log: string): string | undefined {
  const [, objection] = /^error: stopped by the guard: (.+?\))\. Pushed records are kept/m.exec(log) ?? [];
  return objection === undefined
    ? undefined
    : `${STOPPED}${objection}. Nothing was removed. If the removals are right, start a sync that accepts them.`;
}

function trialEnding(
  kind: 'test' | 'preview',
  code: number | null,
  result: object | null,
  log: string,
  ended: (state: Ending['state'], error: string | null, more?: Partial<Ending>) => Ending,
): Ending {
  if (result === null) return ended('failed', reasonIn(log) ?? meaningOf(code));
  if (kind === 'preview' || code === 0) return ended('succeeded', null, { result });
  const { steps = [] } = result as { steps?: { status: string; message: string }[] };
  const failed = steps.find(({ status }) => status === 'failed');
  return ended('failed', failed?.message ?? meaningOf(code), { result });
}

const meaningOf = (code: number | null) =>
  MEANINGS[code ?? -1] ?? `The connector ended with exit code ${code}.`;

/** Returns the last error that a connector has reported, with its first letter in upper case. */
function reasonIn(log: string): string | undefined {
  const last = [...log.matchAll(/^(?:error|refused): (.+)$/gm)].at(-1)?.[1]?.trim();
  if (last === undefined || last === '') return undefined;
  return `${last.charAt(0).toUpperCase()}${last.slice(1)}${/[.!?]$/.test(last) ? '' : '.'}`;
}

/** Returns a text without what PostgreSQL cannot store. Records and replies of other systems may have it. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();

function storableValue(_: string, value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), each]));
}

function parse(output: string | undefined): object | null {
  try {
    const value: unknown = JSON.parse(output ?? '', storableValue);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
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
