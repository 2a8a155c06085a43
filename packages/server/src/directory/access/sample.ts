import { randomUUID } from 'node:crypto';
import { databaseTime, transaction } from '#kit/database.ts';
import { type Call, type CallTx, takeTurnsIn } from '#kit/identity.ts';
import { findSample, type Sample } from './organization-facts.ts';
import * as queries from './queries/organizations.ts';
import { accessRefusals } from './sentences.ts';

/*
 * Creating and removing the sample company take many transactions. One call at a time works on it. A call that dies leaves what its last
 * transaction stored, and the next one continues from there.
 */

/** A call that has been silent for this long was interrupted, so that another one may continue. */
const INTERRUPTED_MS = 60_000;

/**
 * Does one part of the work in one transaction, and stores the sample company that it returns, or its end. Throws 409 if another call has
 * continued the work.
 */
export type Step = (work: (tx: CallTx, sample: Sample) => Promise<Sample | null>) => Promise<Sample | null>;

/**
 * Does work on the sample company while no other call does. `begin` returns the sample company to begin with, or undefined if there is
 * nothing to do. Throws 409 while another call works on it.
 */
export async function workOnSample(
  call: Call,
  begin: (tx: CallTx, sample: Sample | null) => Promise<Sample | undefined>,
  work: (step: Step) => Promise<void>,
): Promise<void> {
  const holder = randomUUID();
  const begun = await transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    const before = await findSample(tx);
    if (await isAtWork(tx, before)) throw busy(before);
    const after = await begin(tx, before);
    if (after !== undefined) await replace(tx, before, { ...after, lease: await leaseOf(tx, holder) });
    return after !== undefined;
  });
  if (!begun) return;
  try {
    await work((part) => step(call, holder, part));
  } catch (error) {
    // The next call can continue right away. If this fails as well, it has to wait.
    await release(call, holder).catch(() => {});
    throw error;
  }
}

function step(call: Call, holder: string, work: Parameters<Step>[0]): Promise<Sample | null> {
  return transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    const before = await findSample(tx);
    if (before?.lease?.holder !== holder) throw busy(before);
    const after = await work(tx, before);
    const lease = after?.status === 'complete' ? null : await leaseOf(tx, holder);
    await replace(tx, before, after && { ...after, lease });
    return after;
  });
}

const release = (call: Call, holder: string): Promise<void> =>
  transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    const before = await findSample(tx);
    if (before?.lease?.holder === holder) await replace(tx, before, { ...before, lease: null });
  });

async function replace(tx: CallTx, before: Sample | null, after: Sample | null): Promise<void> {
  if (!(await queries.replaceSample(tx, before, after))) throw busy(before);
}

async function isAtWork(tx: CallTx, sample: Sample | null): Promise<boolean> {
  if (sample?.lease == null) return false;
  return (await databaseTime(tx)).getTime() - Date.parse(sample.lease.renewed_at) < INTERRUPTED_MS;
}

const leaseOf = async (tx: CallTx, holder: string) => ({
  holder,
  renewed_at: (await databaseTime(tx)).toISOString(),
});

/** The error while another call works on the sample company, or after another one has continued the work. */
export const busy = (sample: Sample | null) =>
  sample === null || sample.status === 'removing'
    ? accessRefusals.sample_being_removed()
    : accessRefusals.sample_being_created();
