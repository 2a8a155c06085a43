import { nfc } from '#kit/nfc.ts';
import { personAttributes } from '../../../../protocol/src/person-attributes.ts';
import { ACCOUNT_FIELDS as ACCOUNT, fieldsOf } from '../../../../protocol/src/records.ts';

type Headers = Readonly<Record<string, readonly string[]>>;

/** The names that spreadsheets commonly give to the fields of accounts. */
const HEADERS: Headers = Object.fromEntries(
  fieldsOf(ACCOUNT).flatMap(([name, { headers }]) => (headers === undefined ? [] : [[name, headers]])),
);

/** The fields of an account that a column can hold, with the names that spreadsheets commonly give them. */
export const ACCOUNT_FIELDS: Headers = {
  ...HEADERS,
  groups: ['groups', 'group', 'roles', 'role', 'teams', 'team', 'gruppen', 'gruppe', 'rollen', 'rolle'],
  licenses: ['licenses', 'license', 'licences', 'licence', 'lizenzen', 'lizenz'],
};

/** The field of columns that become attributes under their names. */
export const ATTRIBUTE = 'attribute';

/** The attributes of people whose columns are recognized. */
const ATTRIBUTE_HEADERS: Headers = Object.fromEntries(
  personAttributes.flatMap(([name, { headers }]) => (headers === undefined ? [] : [[name, headers]])),
);

/** The fields of a person. Every other column can become an attribute. */
export const PERSON_FIELDS = {
  email: ACCOUNT.email.headers,
  username: ACCOUNT.username.headers,
  first_name: ACCOUNT.first_name.headers,
  last_name: ACCOUNT.last_name.headers,
  manager_email: [
    'manager email',
    'manager',
    'line manager',
    'supervisor',
    'vorgesetzter',
    'vorgesetzte',
    'vorgesetzte r',
    'fuhrungskraft',
    'fuehrungskraft',
  ],
  identity_type: ['identity type'],
  domain_type: ['domain type'],
  status: [
    'status',
    'employment status',
    'employee status',
    'active',
    'enabled',
    'account enabled',
    'zustand',
    'aktiv',
    'mitarbeiterstatus',
    'beschaftigungsstatus',
  ],
  role: ['role in gatehouse'],
  start_date: ['start date', 'hire date', 'eintritt', 'eintrittsdatum', 'startdatum'],
  end_date: ['end date', 'leaving date', 'austritt', 'austrittsdatum', 'enddatum'],
  leave_from: ['leave from', 'leave start', 'freistellung ab', 'freistellung von'],
  leave_until: ['leave until', 'leave end', 'freistellung bis'],
  ...ATTRIBUTE_HEADERS,
} as const;

/** Whether a column that becomes an attribute under its own name would be taken for a field of the person. */
export const isPersonField = (column: string) => {
  const name = column.toLowerCase();
  return (
    name === 'manager' || (Object.hasOwn(PERSON_FIELDS, name) && !Object.hasOwn(ATTRIBUTE_HEADERS, name))
  );
};

export const STATUSES = ['active', 'inactive', 'suspended'] as const;
type Status = (typeof STATUSES)[number];

/** Returns the status that a cell stands for: as the mapping says, or else as is usual. */
export function statusOf(cell: string, given: Record<string, Status> = {}): Status | undefined {
  const key = nfc(cell).toLowerCase();
  const mapped = Object.entries(given).find(([value]) => nfc(value).toLowerCase() === key)?.[1];
  return mapped ?? (Object.hasOwn(KNOWN_STATUSES, key) ? KNOWN_STATUSES[key] : undefined);
}

/** Values of a status column that need no mapping. */
const KNOWN_STATUSES: Record<string, Status> = {
  active: 'active',
  enabled: 'active',
  true: 'active',
  yes: 'active',
  '1': 'active',
  aktiv: 'active',
  ja: 'active',
  wahr: 'active',
  inactive: 'inactive',
  disabled: 'inactive',
  deleted: 'inactive',
  deactivated: 'inactive',
  terminated: 'inactive',
  former: 'inactive',
  left: 'inactive',
  false: 'inactive',
  no: 'inactive',
  '0': 'inactive',
  inaktiv: 'inactive',
  deaktiviert: 'inactive',
  ausgeschieden: 'inactive',
  ausgetreten: 'inactive',
  gekündigt: 'inactive',
  ehemalig: 'inactive',
  nein: 'inactive',
  falsch: 'inactive',
  suspended: 'suspended',
  locked: 'suspended',
  blocked: 'suspended',
  gesperrt: 'suspended',
};
