export const FOUND_KINDS = ['person', 'account', 'app', 'group', 'request', 'policy', 'campaign'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export interface Found {
  kind: FoundKind;
  id: string;
  name: string;
  /** The email of a person, the app of an account, the status of a request. */
  about: string;
  /** The status of a person or an account. */
  status: string | null;
}
