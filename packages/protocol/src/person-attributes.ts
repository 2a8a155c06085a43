/**
 * The attributes of people that many systems know. Identity providers, files and forms spell them in several ways, and a person keeps the
 * spelling that was stored first. Everything else about them follows from this declaration: the attributes of SCIM, the columns that
 * an import recognizes, the fields of forms, and what conditions read.
 */
interface PersonAttribute {
  /** The names under which people have it. The first one is the usual one, and identity providers' come before those of files. */
  spellings: readonly [string, ...string[]];
  /** Its name in SCIM's enterprise extension, with the description of its schema. */
  enterprise?: { name: string; description: string };
  /** The names that spreadsheets commonly give to its column, in several languages. Without them, a column keeps its own name. */
  headers?: readonly string[];
  /** Whether lists, reviews and reports show it, and forms have a field for it. */
  isShown?: true;
}

export const PERSON_ATTRIBUTES = {
  department: {
    spellings: ['department'],
    enterprise: { name: 'department', description: 'The name of the department.' },
    isShown: true,
    headers: [
      'department',
      'department name',
      'dept',
      'abteilung',
      'abteilungsname',
      'bereich',
      'fachbereich',
      'organisationseinheit',
      'org unit',
      'organizational unit',
      'organisational unit',
      'organization unit',
      'departement',
      'departamento',
    ],
  },
  title: {
    spellings: ['title'],
    isShown: true,
    headers: [
      'title',
      'job title',
      'jobtitle',
      'job',
      'position',
      'position title',
      'job position',
      'jobtitel',
      'jobbezeichnung',
      'stelle',
      'stellenbezeichnung',
      'positionsbezeichnung',
      'berufsbezeichnung',
      'tatigkeit',
      'taetigkeit',
      'funktion',
      'poste',
      'puesto',
    ],
  },
  location: {
    spellings: ['location'],
    isShown: true,
    headers: [
      'location',
      'work location',
      'office',
      'office location',
      'work site',
      'workplace',
      'site',
      'city',
      'standort',
      'standortname',
      'ort',
      'stadt',
      'buero',
      'arbeitsort',
      'dienstort',
      'niederlassung',
      'buro',
      'lieu',
      'ubicacion',
    ],
  },
  cost_center: {
    spellings: [
      'cost_center',
      'costCenter',
      'Cost center',
      'Cost Center',
      'cost center',
      'Cost centre',
      'Kostenstelle',
    ],
    enterprise: { name: 'costCenter', description: 'The name of the cost center.' },
    headers: ['cost center', 'cost centre', 'kostenstelle', 'centre de cout', 'centro de coste'],
  },
  division: {
    spellings: ['division', 'Division'],
    enterprise: { name: 'division', description: 'The name of the division.' },
  },
  organization: {
    spellings: ['organization', 'Organization'],
    enterprise: { name: 'organization', description: 'The name of the organization.' },
  },
  // An index has these spellings (0001_schema.sql).
  employee_number: {
    spellings: ['employee_number', 'employeeNumber', 'employee_id', 'employeeId', 'Employee number'],
    enterprise: { name: 'employeeNumber', description: 'The number or code of the employee.' },
  },
} as const satisfies Record<string, PersonAttribute>;

export type PersonAttributeName = keyof typeof PERSON_ATTRIBUTES;

/** All of them, with their names. */
export const personAttributes = Object.entries(PERSON_ATTRIBUTES) as [PersonAttributeName, PersonAttribute][];

/** The attributes that lists, reviews and reports show. */
export const SHOWN_ATTRIBUTES = personAttributes.flatMap(([name, { isShown }]) => (isShown ? [name] : []));

const bySpelling = new Map(
  personAttributes.flatMap(([name, { spellings }]) => spellings.map((spelling) => [spelling, name] as const)),
);

/** Returns the attribute that has this spelling, or undefined if it is one of the organization's own. */
export const personAttributeOf = (spelling: string): PersonAttributeName | undefined =>
  bySpelling.get(spelling);

/** Returns the spellings of an attribute by one of them: only itself for an attribute of the organization's own. */
export function spellingsOf(name: string): readonly string[] {
  const attribute = personAttributeOf(name);
  return attribute === undefined ? [name] : PERSON_ATTRIBUTES[attribute].spellings;
}

/** Returns the name under which a person has an attribute: another spelling of it, unless they have this one, or none. */
export const storedSpelling = (attributes: object, name: string): string =>
  [name, ...spellingsOf(name)].find((one) => Object.hasOwn(attributes, one)) ?? name;

/** Returns the attributes of a person under all of their spellings. A spelling that the person has keeps its own value. */
export function withSpellings<T>(attributes: Record<string, T>): Record<string, T> {
  const missing = Object.keys(attributes)
    .flatMap((stored) => (personAttributeOf(stored) === undefined ? [] : spellingsOf(stored)))
    .filter((spelling) => !Object.hasOwn(attributes, spelling));
  return {
    ...attributes,
    ...Object.fromEntries(missing.map((one) => [one, attributes[storedSpelling(attributes, one)] as T])),
  };
}
