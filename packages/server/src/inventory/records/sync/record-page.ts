import type { Refs } from './record-refs.ts';

export type RecordKind = 'account' | 'group' | 'license';

/** A page of records that passed all checks. */
export interface RecordPage {
  ids: string[];
  /** JSON list of the records, reduced to the fields that Gatehouse knows. */
  records: string;
  /** For each account, a digest of its record (digestOf). Empty for groups and licenses. */
  digests: string[];
  /** For each account, its details as JSON and their digest (detailOf), or null. Empty if no account has any. */
  details: Details;
  refs: Refs;
  /** For each slug that accounts refer to: the id of the first record that does. */
  membershipSlugs: Map<string, string>;
  assignmentSlugs: Map<string, string>;
  /** The same for the slugs that `via` names. */
  viaSlugs: Map<string, string>;
}

export interface Details {
  texts: (string | null)[];
  digests: (string | null)[];
}

export type NamedSlugs = Pick<RecordPage, 'membershipSlugs' | 'assignmentSlugs' | 'viaSlugs'>;

/** The records of a page: an array, or those of a large page, which are parsed as they are read. */
export interface Records {
  readonly length: number;
  entries(): Iterable<[index: number, record: unknown]>;
}
