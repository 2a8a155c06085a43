import { expect } from 'vitest';
import { type Difference, evaluateAll, watch } from '#insight/findings/evaluate.ts';
import { KIND_NAMES, type KindName } from '#insight/findings/finding.ts';
import { createMissedFindings } from '#insight/findings/metrics.ts';
import { checkFindings } from '#insight/findings/nightly.ts';
import { within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { exists } from '#kit/sql.ts';
import type { CallOptions, TestApp } from './app.ts';
import { until } from './until.ts';

/** The findings of the organization of a test. */
export function findingsOf(service: TestApp & { orgId: string }) {
  const db = within(service.database.db, service.orgId);
  const list = async (query: string, by: CallOptions = {}) => {
    const { status, body } = await service.call('GET', `/api/findings/?${query}`, undefined, by);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.results;
  };
  /** Returns the statuses of all findings that a query names. */
  const status = async (query: string): Promise<string[]> =>
    (await Promise.all(['open', 'accepted', 'resolved'].map((one) => list(`${query}&status=${one}`))))
      .flat()
      .map((finding: { status: string }) => finding.status);
  const isBehind = () => exists(db)`
    select from event_head h left join finding_cursor c on c.org_id = h.org_id
    where h.org_id = ${db.orgId} and (c.org_id is null or c.read_to < h.last_ingested_at or c.asked_at is not null)`;
  /** Follows the log to its end. */
  const follow = () =>
    until('the findings', async () => {
      while (await watch(db));
      return !(await isBehind());
    });
  return {
    db,
    list,
    status,
    follow,
    /** Waits for these statuses without the check of the night. */
    settled: (query: string, expected: string[]) =>
      expect.poll(() => status(query), { timeout: 20_000 }).toEqual(expected),
    /** The nightly check finds nothing that events and the clock had not told. */
    expectNothingMissed: async () => {
      const missed = createMissedFindings();
      await checkFindings({ db: service.database.db, logger: createLogger('silent'), missed }, db);
      expect([...missed.counts()]).toEqual([]);
    },
    /** Returns how what events and the clock told differs from a look at everything, by kind. */
    differences: async () => {
      await follow();
      const found: ({ kind: KindName } & Difference)[] = [];
      for (const kind of KIND_NAMES) found.push({ kind, ...(await evaluateAll(db, kind)) });
      return found.filter(({ opened, resolved }) => opened + resolved > 0);
    },
  };
}
