/**
 * Every member of a union, in this order: `valuesOf<Status>({ active: true, deactivated: true })`. The compiler reports
 * a member that is missing.
 */
export const valuesOf = <U extends string>(members: Record<U, true>) => Object.keys(members) as U[];

/** Options for a Select, from labels by value: `optionsOf({ any: 'Any one of them', all: 'All of them' })`. */
export const optionsOf = <U extends string>(labels: Readonly<Record<U, string>>) =>
  (Object.entries(labels) as [U, string][]).map(([value, label]) => ({ value, label }));
