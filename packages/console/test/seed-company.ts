/** The seeded company: its people and the records of its apps. */

export const MARKUP = '<img src=x onerror=alert(1)>';

interface Seat {
  email: string;
  first_name: string;
  last_name: string;
  department: string;
  title: string;
  location: string;
  manager_email: string;
}

export const ADMIN = 'admin@acme.example';

const FIRST =
  'Marta Jonas Nadia Henrik Aisha Tomás Ingrid Kwame Sofia Pavel Leila Mateus Yuki Omar Elena Rajiv Freya Diego Hana Lukas Amara Niels Priya Ewan Chiara Samuel Noor Viktor Greta Idris Paula Anton Mei Bruno Zara Felix Ines Karim Olga Theo Selma Ravi Clara Emil Fatima Hugo Nina Piotr Ruth Sven Tara Uma Vera Walid Xenia Yara Zoe Arjun'.split(
    ' ',
  );
const LAST =
  'Silva Weber Rahman Lund Okafor Prado Nilsson Mensah Rossi Novak Haddad Costa Tanaka Farouk Petrova Menon Olsen Fuentes Kimura Brandt Diallo Jansen Iyer Murray Conti Adeyemi Aziz Orlov Schmid Bello Vidal Keller Chen Moreau Khan Wagner Duarte Nasser Ivanova Laurent Demir Pillai Fischer Holm Saleh Garnier Berg Zielinski Cohen Eriksen Walsh Desai Marin Tahir Popova Costello Lindqvist Nair'.split(
    ' ',
  );
const DEPARTMENTS = ['Engineering', 'Sales', 'Support', 'Finance', 'People'] as const;
const TITLES: Record<string, string[]> = {
  Engineering: ['Engineering Manager', 'Software Engineer', 'Site Reliability Engineer', 'Data Engineer'],
  Sales: ['Head of Sales', 'Account Executive', 'Sales Engineer', 'Account Executive'],
  Support: ['Support Lead', 'Support Engineer', 'Support Engineer', 'Customer Success Manager'],
  Finance: ['Finance Lead', 'Accountant', 'Controller', 'Accountant'],
  People: ['Head of People', 'Recruiter', 'People Partner', 'Office Manager'],
};
const LOCATIONS = ['Lisbon', 'Hamburg', 'Oslo', 'Remote'];

const address = (first: string, last: string) =>
  `${first}.${last}@acme.example`
    .normalize('NFD')
    .replace(/[^\x21-\x7e]/g, '')
    .toLowerCase();

/** The first person of each department manages it. The owner manages them. */
export const PEOPLE: Seat[] = FIRST.map((first_name, at) => {
  const last_name = LAST[at] ?? '';
  const department = DEPARTMENTS[at % DEPARTMENTS.length] ?? 'People';
  const head = at % DEPARTMENTS.length;
  const isHead = at < DEPARTMENTS.length;
  const titles = TITLES[department] ?? [];
  return {
    email: address(first_name, last_name),
    first_name,
    last_name,
    department,
    title: (isHead ? titles[0] : titles[1 + (at % 3)]) ?? '',
    location: LOCATIONS[at % LOCATIONS.length] ?? '',
    manager_email: isHead ? ADMIN : address(FIRST[head] ?? '', LAST[head] ?? ''),
  };
});

/** The people who can sign in, by their part in the tests. Nobody else has a password. */
export const STAFF = {
  owner: ADMIN,
  admin: 'henrik.lund@acme.example',
  auditor: 'sofia.rossi@acme.example',
  /** A member who manages Engineering. */
  manager: 'marta.silva@acme.example',
  /** A member whom the manager manages. */
  member: 'tomas.prado@acme.example',
} as const;
export type Role = keyof typeof STAFF;

/** A person whose name contains markup. */
export const MALLORY = {
  email: 'mallory@acme.example',
  first_name: MARKUP,
  last_name: 'O’Neil & Sons "quoted"',
  department: 'Support',
  title: 'Support Engineer',
  location: 'Remote',
  manager_email: STAFF.manager,
};

interface Group {
  id: string;
  name: string;
  description?: string;
}
interface License extends Group {
  max_count?: number;
  used_count?: number;
  is_paid?: boolean;
  is_unlimited?: boolean;
}
interface Account {
  id: string;
  email: string;
  username: string;
  first_name?: string;
  last_name?: string;
  display_name: string;
  status: 'active' | 'suspended' | 'inactive';
  memberships: Record<string, { id: string }[]>;
  assignments: Record<string, { id: string }[]>;
}
/** An app with the records its connector pushes. */
export interface System {
  name: string;
  groups: Group[];
  licenses: License[];
  accounts: Account[];
}

const accountOf = (
  { email, first_name, last_name }: Pick<Seat, 'email' | 'first_name' | 'last_name'>,
  id: string,
): Account => ({
  id,
  email,
  username: email.split('@')[0] ?? id,
  first_name,
  last_name,
  display_name: `${first_name} ${last_name}`,
  status: 'active',
  memberships: {},
  assignments: {},
});

/** Orphaned accounts: former contractors and machine accounts. */
const strangers = (prefix: string, count: number): Account[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `${prefix}-${String(at + 1).padStart(3, '0')}`;
    const email = `${id}@partners.example`;
    return accountOf({ email, first_name: 'Contractor', last_name: id }, id);
  });

const slug = (department: string) => department.toLowerCase();
const everyone = [...PEOPLE, MALLORY];

export function directory(): System {
  return {
    name: 'Corporate Directory',
    groups: [
      ...DEPARTMENTS.map((name) => ({ id: slug(name), name, description: `Everyone in ${name}` })),
      { id: 'vpn', name: 'VPN users', description: 'May reach the internal network' },
      { id: 'admins', name: 'Domain administrators', description: 'Full control of the directory' },
    ],
    licenses: [],
    accounts: [
      ...everyone.map((person, at) => ({
        ...accountOf(person, `uid-${1000 + at}`),
        status: at % 17 === 16 ? ('suspended' as const) : ('active' as const),
        memberships: {
          group: [
            { id: slug(person.department) },
            ...(at % 2 === 0 ? [{ id: 'vpn' }] : []),
            ...(at % 20 === 3 ? [{ id: 'admins' }] : []),
          ],
        },
      })),
      ...strangers('svc', 12).map((account) => ({
        ...account,
        display_name: `Service account ${account.id}`,
      })),
    ],
  };
}

export function crm(): System {
  const sellers = everyone.filter(({ department }) => department === 'Sales' || department === 'Support');
  return {
    name: 'Customer CRM',
    groups: [
      { id: 'sales-emea', name: 'Sales EMEA', description: 'Pipeline and forecasts of EMEA' },
      { id: 'sales-amer', name: 'Sales Americas', description: 'Pipeline and forecasts of the Americas' },
      { id: 'support', name: 'Support agents', description: 'Cases and entitlements' },
      { id: 'exports', name: `Bulk export ${MARKUP}`, description: 'May download every customer record' },
    ],
    licenses: [
      { id: 'seat', name: 'Sales seat', max_count: 100, used_count: 97, is_paid: true },
      { id: 'analytics', name: 'Analytics add-on', max_count: 10, used_count: 10, is_paid: true },
      { id: 'viewer', name: 'Viewer', is_unlimited: true, used_count: 10, is_paid: false },
    ],
    accounts: [
      ...sellers.map((person, at) => ({
        ...accountOf(person, `005${100 + at}`),
        memberships: {
          group: [
            { id: person.department === 'Support' ? 'support' : at % 4 < 2 ? 'sales-emea' : 'sales-amer' },
            ...(at % 6 === 0 ? [{ id: 'exports' }] : []),
          ],
        },
        assignments: { license: [{ id: 'seat' }, ...(at < 10 ? [{ id: 'analytics' }] : [])] },
      })),
      ...strangers('agency', 82).map((account, at) => ({
        ...account,
        status: at % 9 === 0 ? ('suspended' as const) : ('active' as const),
        memberships: { group: [{ id: at % 2 === 0 ? 'sales-emea' : 'sales-amer' }] },
        assignments: { license: [{ id: at < 72 ? 'seat' : 'viewer' }] },
      })),
    ],
  };
}

export function codeHosting(): System {
  const builders = everyone.filter(({ department }) => department === 'Engineering');
  return {
    name: 'Code Hosting',
    groups: [
      { id: 'platform', name: 'platform', description: 'Infrastructure repositories' },
      { id: 'web', name: 'web', description: 'Customer-facing applications' },
      { id: 'owners', name: 'owners', description: 'May delete repositories and change billing' },
    ],
    licenses: [{ id: 'seat', name: 'Developer seat', max_count: 120, used_count: 100, is_paid: true }],
    accounts: [
      ...builders.map((person, at) => ({
        ...accountOf(person, `acme-${at + 1}`),
        memberships: {
          group: [{ id: at % 2 === 0 ? 'platform' : 'web' }, ...(at % 5 === 0 ? [{ id: 'owners' }] : [])],
        },
        assignments: { license: [{ id: 'seat' }] },
      })),
      ...strangers('bot', 88).map((account, at) => ({
        ...account,
        display_name: at === 7 ? MARKUP : `Build bot ${account.id}`,
        status: at % 11 === 0 ? ('suspended' as const) : ('active' as const),
        memberships: { group: [{ id: at % 2 === 0 ? 'platform' : 'web' }] },
        assignments: { license: [{ id: 'seat' }] },
      })),
    ],
  };
}

/** An app that is no longer synced. */
export function wiki(): System {
  return {
    name: `Old Wiki ${MARKUP}`,
    groups: [{ id: 'editors', name: 'Editors' }],
    licenses: [],
    accounts: everyone.slice(0, 40).map((person, at) => ({
      ...accountOf(person, `wiki-${at}`),
      memberships: at % 3 === 0 ? { group: [{ id: 'editors' }] } : {},
    })),
  };
}
