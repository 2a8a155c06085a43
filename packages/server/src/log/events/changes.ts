/** A field of a setting before and after a change. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Returns the given fields whose values differ, for the `changes` of an event. */
export const changedFields = <T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): FieldChange[] =>
  fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }));
