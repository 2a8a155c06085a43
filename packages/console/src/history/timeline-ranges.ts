/** The days that a timeline can be limited to. */
export const RANGES = ['30', '90', '365'] as const;
export type Range = (typeof RANGES)[number];
