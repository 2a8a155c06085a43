export const CHANGES = ['added', 'removed', 'changed'] as const;
export type Change = (typeof CHANGES)[number];
export type Counts = Record<Change, number>;
