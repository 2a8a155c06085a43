/**
 * The fields of pushed records, each declared once (protocol 2.5). The types and checks of the SDK, those of pushed pages, the columns of
 * account_detail, the views of accounts, the evidence of reviews, the fields of conditions and of spreadsheets, and the tables of
 * docs/reference/protocol.md come from here.
 */

export interface RecordField {
  type: FieldType;
  description: string;
  required?: true;
  /** The longest text in characters, 512 if missing. */
  longest?: number;
  /** The values of a choice. */
  values?: readonly string[];
  /**
   * A detail gives no access: a change of it alone leaves the account unchanged in the counts, the plan, the history and the log (D54).
   * All other fields of accounts are part of their state, which has a history.
   */
  detail?: true;
  /** The name of a detail in the inventory and in views, if it has another one there. */
  column?: string;
  /** The meaning of a missing flag. Without it, such a flag is unknown. */
  absent?: false;
  /** Whether the conditions of policies read a detail, under the name of its column. */
  cel?: true;
  /** Whether items of reviews show a detail of the account as it is, and its evidence has a column for it. */
  evidence?: true;
  /** The names that the columns of spreadsheets commonly have. A field without them is in no spreadsheet. */
  headers?: readonly string[];
}

/** A count is a whole number of 0 or more. Attributes are an object of texts, numbers and booleans. */
export type FieldType = 'text' | 'email' | 'time' | 'flag' | 'count' | 'choice' | 'attributes';
export type RecordFields = Readonly<Record<string, RecordField>>;

/** Characters of a text, unless its field says otherwise. */
export const LONGEST_TEXT = 512;
export const MOST_ATTRIBUTES = 50;
export const LONGEST_ATTRIBUTE_NAME = 100;

/** The groups and licenses of an account, `memberships` and `assignments`, are not among its fields. */
export const ACCOUNT_FIELDS = {
  id: {
    type: 'text',
    required: true,
    description: 'the id in the external system',
    headers: [
      ...['id', 'user id', 'userid', 'account id', 'external id', 'employee id'],
      ...['personalnummer', 'benutzer id', 'kennung'],
    ],
  },
  email: {
    type: 'text',
    description: 'email address',
    headers: [
      ...['email', 'e mail', 'mail', 'email address', 'e mail adresse', 'e mail address'],
      ...['correo', 'courriel'],
    ],
  },
  username: {
    type: 'text',
    description: 'username; either this or `email` is required',
    headers: [
      ...['username', 'user name', 'user', 'login', 'login name', 'user principal name', 'upn', 'account'],
      ...['benutzer', 'benutzername', 'anmeldename'],
    ],
  },
  first_name: {
    type: 'text',
    description: 'first name',
    headers: ['first name', 'firstname', 'given name', 'vorname', 'prenom', 'nombre'],
  },
  last_name: {
    type: 'text',
    description: 'last name',
    headers: [
      ...['last name', 'lastname', 'surname', 'family name'],
      ...['nachname', 'familienname', 'nom', 'apellido'],
    ],
  },
  display_name: {
    type: 'text',
    description: 'display name',
    headers: ['display name', 'displayname', 'full name', 'name', 'anzeigename', 'voller name'],
  },
  status: {
    type: 'choice',
    values: ['active', 'inactive', 'suspended'],
    description: 'status; `active` if missing',
    headers: ['status', 'state', 'active', 'enabled', 'account enabled', 'zustand', 'aktiv'],
  },
  last_sign_in_at: {
    type: 'time',
    detail: true,
    cel: true,
    evidence: true,
    description:
      'when the account was last used, in ISO 8601; UTC without an offset. A time before 1970, with which some systems say "never", counts as absent',
    headers: [
      ...['last sign in', 'last signin', 'last login', 'last logon', 'last active', 'last seen'],
      ...['letzte anmeldung', 'letzter login'],
    ],
  },
  owner: {
    type: 'email',
    detail: true,
    column: 'owner_email',
    cel: true,
    description: 'email of the person who is responsible for a service or shared account',
    headers: ['owner email', 'account owner', 'eigentumer'],
  },
  attributes: {
    type: 'attributes',
    detail: true,
    cel: true,
    description: 'further fields: at most 50, with names of 1 to 100 characters and texts of at most 512',
  },
  is_own: {
    type: 'flag',
    detail: true,
    absent: false,
    description: 'true for the account with which the connector signs in: no task suspends or deletes it',
  },
  mfa_enabled: {
    type: 'flag',
    detail: true,
    cel: true,
    evidence: true,
    description: 'whether the account signs in with a second factor; unknown if missing',
    headers: [
      ...['mfa', 'mfa enabled', '2fa', '2fa enabled', 'two factor', 'two factor enabled', 'second factor'],
      ...['2sv enrolled', '2sv enrolled read only', 'zwei faktor', 'zweiter faktor'],
    ],
  },
} as const satisfies RecordFields;

export const GROUP_FIELDS = {
  id: { type: 'text', required: true, description: 'the id in the external system' },
  name: { type: 'text', required: true, description: 'name' },
  description: { type: 'text', longest: Number.POSITIVE_INFINITY, description: 'description' },
  risk: { type: 'choice', values: ['low', 'medium', 'high'], description: 'risk' },
  owner: {
    type: 'email',
    column: 'owner_email',
    description: 'email of the person who is responsible for the group',
  },
} as const satisfies RecordFields;

export const LICENSE_FIELDS = {
  id: { type: 'text', required: true, description: 'the id in the external system' },
  name: { type: 'text', required: true, description: 'name' },
  description: { type: 'text', longest: Number.POSITIVE_INFINITY, description: 'description' },
  max_count: { type: 'count', description: 'number of seats; 0 means unlimited' },
  used_count: { type: 'count', description: 'number of seats in use' },
  is_paid: { type: 'flag', description: 'whether it costs money' },
  is_unlimited: { type: 'flag', description: 'whether the number of seats is unlimited' },
} as const satisfies RecordFields;

export const RECORD_FIELDS = {
  account: ACCOUNT_FIELDS,
  group: GROUP_FIELDS,
  license: LICENSE_FIELDS,
} as const;

/** The fields of a table as it declares them, in its order. */
export const fieldsOf = (table: RecordFields): [name: string, field: RecordField][] => Object.entries(table);

type AccountFields = typeof ACCOUNT_FIELDS;
type DetailName = {
  [K in keyof AccountFields]: AccountFields[K] extends { detail: true } ? K : never;
}[keyof AccountFields];
type ColumnOf<K extends DetailName> = AccountFields[K] extends { column: infer C extends string } ? C : K;

/** The details of accounts by column. */
export type Details = { [K in DetailName as ColumnOf<K>]: AccountFields[K] };
export type DetailColumn = keyof Details;
export type ColumnsWith<Mark> = {
  [C in DetailColumn]: Details[C] extends Mark ? C : never;
}[DetailColumn];
export type CelDetail = ColumnsWith<{ cel: true }>;
export type EvidenceDetail = ColumnsWith<{ evidence: true }>;

export interface Detail extends RecordField {
  name: DetailName;
  column: DetailColumn;
}

export const DETAILS: readonly Detail[] = fieldsOf(ACCOUNT_FIELDS).flatMap(([name, field]) =>
  field.detail === true
    ? [{ ...field, name: name as DetailName, column: (field.column ?? name) as DetailColumn }]
    : [],
);
export const CEL_DETAILS = DETAILS.filter(({ cel }) => cel).map(({ column }) => column as CelDetail);
export const EVIDENCE_DETAILS = DETAILS.filter(({ evidence }) => evidence).map(
  ({ column }) => column as EvidenceDetail,
);

/** Picks the details that reviews show. */
export const evidenceOf = <T extends { [C in EvidenceDetail]: unknown }>(from: T): Pick<T, EvidenceDetail> =>
  Object.fromEntries(EVIDENCE_DETAILS.map((column) => [column, from[column]])) as Pick<T, EvidenceDetail>;

type ValueOf<F extends RecordField> = F extends { values: readonly (infer V)[] }
  ? V
  : F['type'] extends 'flag'
    ? boolean
    : F['type'] extends 'count'
      ? number
      : F['type'] extends 'attributes'
        ? Attributes
        : string;

/** Further fields of an account. Null and "" count as absent. */
export type Attributes = Record<string, string | number | boolean | null | undefined>;

/** A record with the fields of a table. Null and "" count as absent. */
export type RecordOf<T extends RecordFields> = {
  [K in keyof T as T[K] extends { required: true } ? K : never]: ValueOf<T[K]>;
} & { [K in keyof T as T[K] extends { required: true } ? never : K]?: ValueOf<T[K]> | null | undefined };

/** Whether a value counts as absent. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Counts characters, which take up to two UTF-16 units each. Never splits a text of many megabytes. */
export const isLongerThan = (longest: number, value: string): boolean =>
  value.length > 2 * longest || (value.length > longest && [...value].length > longest);
