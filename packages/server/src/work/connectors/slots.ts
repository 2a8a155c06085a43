import { shares } from '#kit/memory.ts';
import type { Kind } from './connector.ts';

interface SlotRun {
  org_id: string;
  kind: Kind;
}

/** A sync leaves memory for tasks, if there is that much. */
export function megabytesFor({ kind }: Pick<SlotRun, 'kind'>): number {
  const { common, connector } = shares();
  return kind === 'sync' && common >= 2 * connector ? 2 * connector : connector;
}

/**
 * Whether a run may begin beside those in progress. There are `most` slots for syncs and as many for tasks, so that leavers do not wait
 * for long syncs, and at least two for the tests and previews that somebody waits for. An organization gets all slots of a kind but one, so that
 * it cannot hold up the others.
 */
export function hasSlot({ org_id, kind }: SlotRun, running: readonly SlotRun[], most: number): boolean {
  const isAwaited = (one: Kind) => one === 'test' || one === 'preview';
  const alike = running.filter((one) => one.kind === kind || (isAwaited(kind) && isAwaited(one.kind)));
  const own = alike.filter((one) => one.org_id === org_id);
  const slots = isAwaited(kind) ? Math.max(2, most) : most;
  return alike.length < slots && own.length < Math.max(1, slots - 1);
}
