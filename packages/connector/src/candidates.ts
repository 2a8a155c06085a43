import type { Candidates } from './define.ts';
import type { AnyRecord } from './records.ts';

/** The values that were pushed for the fields with candidates. */
export type Chosen = Readonly<Record<string, string>>;

/**
 * Fills each field that has candidates: with the value that was pushed last while it is among them, otherwise with the first
 * in sorted order (D63). So an account does not move to another person because a directory returns its values in another order.
 */
export function choose<R extends AnyRecord>(record: R, earlier: (id: string) => Chosen | undefined): R {
  if (!record?.candidates) return record;
  const before = earlier(record.id);
  const chosen = Object.entries<string[]>(record.candidates).map(([field, values]) => {
    const kept = before?.[field];
    return [field, kept !== undefined && values.includes(kept) ? kept : values.toSorted()[0]];
  });
  return { ...record, ...Object.fromEntries(chosen) };
}

/** Returns the chosen values of a record as text, or null if it has no candidates. */
export function chosenIn(record: AnyRecord): string | null {
  const fields = Object.keys(record.candidates ?? {});
  return fields.length === 0 ? null : JSON.stringify(record, fields);
}

/** Returns a record as it is pushed. */
export function withoutCandidates<R extends { candidates?: Candidates | undefined }>(record: R): R {
  if (record.candidates === undefined) return record;
  const { candidates, ...pushed } = record;
  return pushed as R;
}
