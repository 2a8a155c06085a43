import { LRUCache } from 'lru-cache';
import { type Db, within } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import { recordRefusals } from '../sentences.ts';
import { type StagedPages, stagedPagesOf } from '../sessions/queries/pages.ts';
import type { StorablePage } from './page-columns.ts';

/** The most that one organization may store in pages that are not published yet. Null means unlimited. */
export interface SyncQuotas {
  /** Pages of one session. */
  pages: number | null;
  /** Megabytes of all sessions together. */
  megabytes: number | null;
}

interface Known extends StagedPages {
  measuredAt: number;
  /** When a page was refused because of this measurement. */
  refusedAt: number;
}

const CACHED_ORGANIZATIONS = 10_000;
/** Between two measurements, a node counts only what it has received itself. */
const MEASURED_FOR_MS = 30_000;
/** A page is refused by a new measurement only, since pages may have been published or discarded. It holds for so long. */
const REFUSED_FOR_MS = 1000;
const MB = 1024 * 1024;

/** Returns a function that throws `too_large` if a page would exceed a quota (D71). */
export function syncQuota(db: Db, { pages, megabytes }: SyncQuotas) {
  const cache = new LRUCache<string, Known>({ max: CACHED_ORGANIZATIONS });

  async function measure(orgId: string): Promise<Known> {
    const known = { ...(await stagedPagesOf(within(db, orgId))), measuredAt: Date.now(), refusedAt: 0 };
    cache.set(orgId, known);
    return known;
  }

  function problemOf({ bytes, sessions }: Known, sessionId: string, size: number): DomainError | undefined {
    if (pages !== null && (sessions.get(sessionId) ?? 0) >= pages)
      return recordRefusals.too_many_pages({ pages });
    if (megabytes !== null && bytes + size > megabytes * MB)
      return recordRefusals.too_many_megabytes({ megabytes });
    return undefined;
  }

  return async (orgId: string, sessionId: string, page: StorablePage): Promise<void> => {
    if (pages === null && megabytes === null) return;
    const size = sizeOf(page);
    const cached = cache.get(orgId);
    const isRecent = cached !== undefined && Date.now() - cached.measuredAt < MEASURED_FOR_MS;
    let known = isRecent ? cached : await measure(orgId);
    let problem = problemOf(known, sessionId, size);
    if (problem !== undefined && Date.now() - known.refusedAt > REFUSED_FOR_MS) {
      known = await measure(orgId);
      problem = problemOf(known, sessionId, size);
      if (problem !== undefined) known.refusedAt = known.measuredAt;
    }
    if (problem !== undefined) throw problem;
    known.bytes += size;
    known.sessions.set(sessionId, (known.sessions.get(sessionId) ?? 0) + 1);
  };
}

const sizeOf = ({ records, refs, details }: StorablePage) =>
  records.length + refs.ids.length + refs.names.length + refs.viaIds.length + details.texts.length;
