import { type Static, Type } from 'typebox';

/** The fields of an account that a column can hold, with the names that spreadsheets commonly give them. */
export const ACCOUNT_FIELDS = {
  id: [
    'id',
    'user id',
    'userid',
    'account id',
    'external id',
    'employee id',
    'personalnummer',
    'benutzer id',
    'kennung',
  ],
  email: [
    'email',
    'e mail',
    'mail',
    'email address',
    'e mail adresse',
    'e mail address',
    'correo',
    'courriel',
  ],
  username: [
    'username',
    'user name',
    'user',
    'login',
    'login name',
    'account',
    'benutzer',
    'benutzername',
    'anmeldename',
  ],
  first_name: ['first name', 'firstname', 'given name', 'vorname', 'prenom', 'nombre'],
  last_name: [
    'last name',
    'lastname',
    'surname',
    'family name',
    'nachname',
    'familienname',
    'nom',
    'apellido',
  ],
  display_name: ['display name', 'displayname', 'full name', 'name', 'anzeigename', 'voller name'],
  status: ['status', 'state', 'active', 'enabled', 'zustand', 'aktiv'],
  groups: ['groups', 'group', 'roles', 'role', 'teams', 'team', 'gruppen', 'gruppe', 'rollen', 'rolle'],
  licenses: ['licenses', 'license', 'licences', 'licence', 'lizenzen', 'lizenz'],
  last_sign_in_at: [
    'last sign in',
    'last signin',
    'last login',
    'last logon',
    'last active',
    'last seen',
    'letzte anmeldung',
    'letzter login',
  ],
  owner: ['owner email', 'account owner', 'eigentumer'],
} as const;

/** The field of columns that become attributes under their names. */
export const ATTRIBUTE = 'attribute';

/** The fields of a person. Every other column can become an attribute. */
export const PERSON_FIELDS = {
  email: ACCOUNT_FIELDS.email,
  username: ACCOUNT_FIELDS.username,
  first_name: ACCOUNT_FIELDS.first_name,
  last_name: ACCOUNT_FIELDS.last_name,
  manager_email: ['manager email', 'manager', 'supervisor', 'vorgesetzter', 'vorgesetzte', 'fuhrungskraft'],
  identity_type: ['identity type'],
  domain_type: ['domain type'],
  status: ['status', 'zustand'],
  role: ['role in gatehouse'],
  start_date: ['start date', 'hire date', 'eintritt', 'eintrittsdatum', 'startdatum'],
  end_date: ['end date', 'leaving date', 'austritt', 'austrittsdatum', 'enddatum'],
} as const;

export type AccountField = keyof typeof ACCOUNT_FIELDS;

export const STATUSES = ['active', 'inactive', 'suspended'] as const;

const Slug = Type.String({ maxLength: 64 });

/** Which column holds what. */
export const Mapping = Type.Object({
  columns: Type.Array(
    Type.Object({
      column: Type.String({ maxLength: 4096, description: 'As the first row names it.' }),
      field: Type.String({
        maxLength: 64,
        description: 'A field of the records, or `attribute`. Several columns can be attributes.',
      }),
      slug: Type.Optional({
        ...Slug,
        description: 'For groups and licenses: their resource type. Defaults to the first of the app.',
      }),
      separator: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 3,
          description: 'Between several groups or licenses of one cell. Without it, a cell names one.',
        }),
      ),
    }),
    { maxItems: 250 },
  ),
  account_type: Type.Optional({
    ...Slug,
    description: 'The resource type of the accounts. Defaults to the first of the app.',
  }),
  merge_rows: Type.Optional(
    Type.Boolean({
      description: 'Rows with the same id are one account, whose groups and licenses are those of all rows.',
    }),
  ),
  statuses: Type.Optional(
    Type.Record(Type.String({ maxLength: 512 }), Type.Enum([...STATUSES]), {
      description: 'The status that each value of the status column stands for, without regard to case.',
    }),
  ),
});
export type Mapping = Static<typeof Mapping>;
export type MappedColumn = Mapping['columns'][number];

/** Values of a status column that need no mapping. */
export const KNOWN_STATUSES: Record<string, (typeof STATUSES)[number]> = {
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
  false: 'inactive',
  no: 'inactive',
  '0': 'inactive',
  inaktiv: 'inactive',
  nein: 'inactive',
  falsch: 'inactive',
  suspended: 'suspended',
  locked: 'suspended',
  blocked: 'suspended',
  gesperrt: 'suspended',
};
