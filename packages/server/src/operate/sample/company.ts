import { SAMPLE_DOMAIN } from '#directory/people/sample-emails.ts';

/*
 * The sample company: sixteen people, of whom two have left, and three apps whose accounts show what an administrator looks for:
 * leavers with access, orphaned accounts, unused accounts, and a group of high risk. People of an earlier sample company may remain, so the
 * names in its addresses can get a suffix.
 */

const emailOf = (name: string, suffix: string) => `${name}${suffix}@${SAMPLE_DOMAIN}`;

type Person = [name: string, first: string, last: string, department: string, title: string, manager: string];

/** Managers stand before the people who report to them. */
const PEOPLE: Person[] = [
  ['ada', 'Ada', 'Berg', 'Management', 'Managing director', ''],
  ['grace', 'Grace', 'Lindt', 'Engineering', 'Head of engineering', 'ada'],
  ['alan', 'Alan', 'Moreau', 'Engineering', 'Engineer', 'grace'],
  ['edsger', 'Edsger', 'Holm', 'Engineering', 'Engineer', 'grace'],
  ['barbara', 'Barbara', 'Silva', 'Engineering', 'Engineer', 'grace'],
  ['donald', 'Donald', 'Weiss', 'Engineering', 'Engineer', 'grace'],
  ['katherine', 'Katherine', 'Okoye', 'Finance', 'Head of finance', 'ada'],
  ['dennis', 'Dennis', 'Roth', 'Finance', 'Accountant', 'katherine'],
  ['margaret', 'Margaret', 'Chen', 'Finance', 'Payroll clerk', 'katherine'],
  ['linus', 'Linus', 'Vega', 'Sales', 'Head of sales', 'ada'],
  ['radia', 'Radia', 'Novak', 'Sales', 'Account manager', 'linus'],
  ['ken', 'Ken', 'Adeyemi', 'Sales', 'Account manager', 'linus'],
  ['frances', 'Frances', 'Dubois', 'Support', 'Support engineer', 'linus'],
  ['tim', 'Tim', 'Larsen', 'Support', 'Support engineer', 'linus'],
  ['hedy', 'Hedy', 'Marin', 'People', 'People partner', 'ada'],
  ['john', 'John', 'Abebe', 'People', 'Recruiter', 'hedy'],
];
const LEFT = ['donald', 'ken'];

/** Returns the people, managers before those who report to them. `manager` is the name of one, or empty. */
export const samplePeople = (suffix: string) =>
  PEOPLE.map(([name, first_name, last_name, department, title, manager]) => ({
    name,
    manager,
    profile: {
      email: emailOf(name, suffix),
      first_name,
      last_name,
      attributes: { department, title },
      status: LEFT.includes(name) ? ('deactivated' as const) : ('active' as const),
    },
  }));

/** Returns the shortest suffix with which nobody has one of the addresses yet. */
export function freeSuffix(emails: readonly string[]): string {
  const taken = new Set(emails.map((email) => email.toLowerCase()));
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    if (!PEOPLE.some(([name]) => taken.has(emailOf(name, suffix)))) return suffix;
  }
}

interface Group {
  id: string;
  risk?: 'low' | 'medium' | 'high';
}

interface Account {
  /** The name of the person, or of an orphaned account. */
  name: string;
  groups: string[];
  licensed?: true;
  /** Days since its last use. */
  used: number;
  isSuspended?: true;
}

export interface SampleApp {
  name: string;
  groups: Group[];
  license?: { id: string; max_count: number };
  accounts: Account[];
}

const account = (name: string, used: number, ...groups: string[]): Account => ({ name, used, groups });

export const APPS: SampleApp[] = [
  {
    name: 'Payroll',
    groups: [{ id: 'Payroll run', risk: 'high' }, { id: 'Bank details', risk: 'high' }, { id: 'Reports' }],
    accounts: [
      account('katherine', 3, 'Payroll run', 'Reports'),
      account('dennis', 1, 'Reports'),
      account('margaret', 0, 'Payroll run', 'Bank details'),
      account('hedy', 12, 'Reports'),
      account('ken', 41, 'Reports'),
      account('grace', 130, 'Bank details'),
      account('payroll-import', 2, 'Payroll run'),
    ],
  },
  {
    name: 'Customers',
    groups: [{ id: 'Sales' }, { id: 'Support' }, { id: 'Export', risk: 'medium' }],
    license: { id: 'Professional', max_count: 8 },
    accounts: [
      { ...account('linus', 0, 'Sales', 'Export'), licensed: true },
      { ...account('radia', 1, 'Sales'), licensed: true },
      { ...account('ken', 38, 'Sales', 'Export'), licensed: true },
      { ...account('frances', 0, 'Support'), licensed: true },
      { ...account('tim', 4, 'Support'), licensed: true },
      { ...account('john', 160, 'Sales'), licensed: true },
      account('ada', 20, 'Sales'),
      account('trade-fair', 210, 'Sales'),
    ],
  },
  {
    name: 'Source code',
    groups: [{ id: 'Developers' }, { id: 'Maintainers', risk: 'medium' }, { id: 'Owners', risk: 'high' }],
    accounts: [
      account('grace', 0, 'Developers', 'Owners'),
      account('alan', 0, 'Developers', 'Maintainers'),
      account('edsger', 2, 'Developers'),
      account('barbara', 1, 'Developers', 'Maintainers'),
      account('donald', 33, 'Developers', 'Owners'),
      { ...account('tim', 95, 'Developers'), isSuspended: true },
      account('build-robot', 0, 'Developers'),
    ],
  },
];

const DAY = 86_400_000;

/** The records of an app, as its connector would push them. */
export const accountRecords = ({ accounts, license }: SampleApp, now: number, suffix: string) =>
  accounts.map(({ name, groups, licensed, used, isSuspended }) => ({
    id: name,
    username: name,
    email: emailOf(name, suffix),
    display_name: displayName(name),
    status: isSuspended ? 'suspended' : 'active',
    last_sign_in_at: new Date(now - used * DAY).toISOString(),
    memberships: { group: groups.map((id) => ({ id, name: id })) },
    ...(licensed && license ? { assignments: { license: [{ id: license.id, name: license.id }] } } : {}),
  }));

function displayName(name: string): string {
  const [, first, last] = PEOPLE.find(([one]) => one === name) ?? [];
  return first === undefined ? name : `${first} ${last}`;
}

export const groupRecords = ({ groups }: SampleApp) =>
  groups.map(({ id, ...rest }) => ({ id, name: id, ...rest }));

export const licenseRecords = ({ license, accounts }: SampleApp) =>
  license === undefined
    ? []
    : [{ ...license, name: license.id, used_count: accounts.filter(({ licensed }) => licensed).length }];

export const POLICY = 'Remove the access of leavers';
export const REVIEW = 'High-risk access';
