import { Counter, type Registry } from 'prom-client';
import type { KindName } from './finding.ts';

/** The findings of this node that only the nightly check found, or resolved. */
export interface MissedFindings {
  note(kind: KindName, count: number): void;
  counts(): ReadonlyMap<KindName, number>;
}

export function createMissedFindings(): MissedFindings {
  const counts = new Map<KindName, number>();
  return {
    note: (kind, count) => counts.set(kind, (counts.get(kind) ?? 0) + count),
    counts: () => counts,
  };
}

export function observeFindings(registry: Registry, missed: MissedFindings): void {
  new Counter({
    name: 'gatehouse_findings_missed_total',
    help: 'Findings that this node opened or resolved in a nightly check, although no event had told of them.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of missed.counts()) this.inc({ kind }, count);
    },
  });
}
