import { transaction } from '#kit/database.ts';
import { type Call, type CallTx, takeTurnsIn } from '#kit/identity.ts';
import { findSample, type Sample } from './organization-facts.ts';
import * as queries from './queries/organizations.ts';
import { accessRefusals } from './sentences.ts';

/** A creation that has not ended by then was interrupted, and can be continued. */
const INTERRUPTED_MS = 60_000;

/**
 * Begins to create the sample company, or continues after an interruption. Returns undefined if it is complete. Throws 409 while
 * somebody else creates it. `requireEmpty` runs before the first one begins.
 */
export async function beginSample(
  call: Call,
  requireEmpty: (tx: CallTx) => Promise<void>,
): Promise<Sample | undefined> {
  return transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    const before = await findSample(tx);
    if (before?.complete) return undefined;
    const now = Date.now();
    if (before === null) await requireEmpty(tx);
    else if (now - Date.parse(before.began_at) < INTERRUPTED_MS) throw accessRefusals.sample_being_created();
    const began: Sample = {
      apps: [],
      people: [],
      ...before,
      complete: false,
      began_at: new Date(now).toISOString(),
    };
    await queries.setSample(tx, began);
    return began;
  });
}

/** Stores what belongs to the sample company, as far as it exists. */
export const saveSample = (call: Call, sample: Sample): Promise<void> => queries.setSample(call, sample);

/** Ends the sample company. `record` runs in the same transaction. */
export const endSample = (tx: CallTx): Promise<void> => queries.setSample(tx, null);
