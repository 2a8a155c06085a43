/** People who left or came, and apps that the seed does not have. */
import { PEOPLE, type System } from './seed-company.ts';

export interface Former {
  email: string;
  first_name: string;
  last_name: string;
  department: string;
  title: string;
  location: string;
  manager_email: string;
  /** The days, counted back from today, between which they worked here. */
  from: number;
  until: number;
  moves?: Move;
}

interface Move {
  /** The department until the day `on`. */
  before: string;
  on: number;
}

/** The day on which each person of the seed joined. The others were there before. */
export const JOINED: Record<number, number> = {
  12: 331,
  18: 312,
  21: 290,
  24: 262,
  27: 240,
  33: 214,
  36: 190,
  39: 171,
  42: 143,
  44: 122,
  47: 97,
  50: 70,
  53: 52,
  56: 38,
};

/** Earlier departments of people of the seed. */
export const MOVED: Record<number, Move> = {
  10: { before: 'Support', on: 300 },
  16: { before: 'Support', on: 255 },
  17: { before: 'Sales', on: 226 },
  22: { before: 'Engineering', on: 183 },
  28: { before: 'Finance', on: 150 },
  31: { before: 'People', on: 110 },
  37: { before: 'Sales', on: 66 },
  46: { before: 'Support', on: 41 },
};

const heads: Record<string, string> = Object.fromEntries(
  PEOPLE.slice(0, 5).map(({ department, email }) => [department, email]),
);

const person = (name: string, department: string, title: string, from: number, until: number): Former => {
  const [first_name = '', last_name = ''] = name.split(' ');
  return {
    email: `${first_name}.${last_name}@acme.example`.toLowerCase(),
    first_name,
    last_name,
    department,
    title,
    location: 'Hamburg',
    manager_email: heads[department] ?? '',
    from,
    until,
  };
};

/** Left three weeks ago, before there was a policy for leavers. Finance's apps still have the accounts. */
export const LEAVER = person('Dilan Kaya', 'Finance', 'Accountant', 362, 23);

export const FORMER: Former[] = [
  person('Ole Brandvold', 'Engineering', 'Software Engineer', 362, 322),
  person('Rita Moura', 'Sales', 'Account Executive', 362, 296),
  person('Jan Vermeer', 'Support', 'Support Engineer', 362, 268),
  person('Luz Ortega', 'Sales', 'Account Executive', 362, 233),
  person('Per Solberg', 'Engineering', 'Data Engineer', 362, 204),
  person('Asha Rao', 'Finance', 'Controller', 362, 176),
  person('Tim Becker', 'Support', 'Support Engineer', 340, 148),
  person('Eva Kraus', 'People', 'Recruiter', 362, 118),
  person('Bo Larsen', 'Sales', 'Sales Engineer', 305, 85),
  person('Gil Santos', 'Engineering', 'Software Engineer', 280, 57),
  LEAVER,
];

/** They joined, moved or left in the last three weeks. */
export const NEWCOMERS: Former[] = [
  person('Maja Lindgren', 'Engineering', 'Software Engineer', 20, -1),
  person('Deniz Arslan', 'Engineering', 'Site Reliability Engineer', 19, -1),
  person('Hanna Vogel', 'Support', 'Support Engineer', 18, -1),
  person('Leo Martins', 'Sales', 'Account Executive', 15, -1),
  person('Anouk Dubois', 'Finance', 'Accountant', 13, -1),
  { ...person('Malin Ek', 'Engineering', 'Data Engineer', 362, -1), moves: { before: 'Support', on: 16 } },
  { ...person('Rui Tavares', 'Sales', 'Sales Engineer', 250, -1), moves: { before: 'Engineering', on: 11 } },
  { ...person('Ida Nyman', 'People', 'People Partner', 362, -1), moves: { before: 'Finance', on: 9 } },
  person('Max Huber', 'Support', 'Support Engineer', 362, 12),
  person('Pia Rossi', 'Sales', 'Account Executive', 300, 8),
];

type Tool = Pick<System, 'groups' | 'licenses'> & {
  /** The email of the app's owner. */
  owner: string;
  departments: readonly string[];
};

const group = (id: string, name: string, description: string, risk: 'low' | 'medium' | 'high' = 'low') => ({
  id,
  name,
  description,
  risk,
  owner: PEOPLE[0]?.email ?? '',
});

export const TOOLS: Record<string, Tool> = {
  Jira: {
    owner: PEOPLE[0]?.email ?? '',
    departments: ['Engineering', 'Support'],
    groups: [
      group('users', 'Jira users', 'Create and comment on issues'),
      group(
        'project-admins',
        'Project administrators',
        'Change boards, workflows and permissions of projects',
        'medium',
      ),
    ],
    licenses: [{ id: 'seat', name: 'Jira Software', max_count: 60, used_count: 40, is_paid: true }],
  },
  Figma: {
    owner: PEOPLE[1]?.email ?? '',
    departments: ['Sales', 'People'],
    groups: [
      group('viewers', 'Viewers', 'See and comment on designs'),
      group('editors', 'Editors', 'Edit designs and publish libraries', 'medium'),
    ],
    licenses: [{ id: 'full', name: 'Full seat', max_count: 25, used_count: 18, is_paid: true }],
  },
  SAP: {
    owner: PEOPLE[3]?.email ?? '',
    departments: ['Finance'],
    groups: [
      group('posting', 'Posting', 'Post invoices and journal entries', 'medium'),
      group('payments', 'Payment run', 'Release payments to suppliers', 'high'),
    ],
    licenses: [
      { id: 'professional', name: 'Professional user', max_count: 15, used_count: 12, is_paid: true },
    ],
  },
  Zendesk: {
    owner: PEOPLE[2]?.email ?? '',
    departments: ['Support', 'Sales'],
    groups: [
      group('agents', 'Agents', 'Answer the tickets of customers'),
      group('macros', 'Macro editors', 'Change the answers that all agents use', 'medium'),
    ],
    licenses: [{ id: 'agent', name: 'Agent seat', max_count: 45, used_count: 30, is_paid: true }],
  },
};

/** Access that somebody asked for, once, and got. */
export interface Asked {
  on: number;
  email: string;
  tool: string;
  group: string;
  comment: string;
}

const engineer = (at: number) =>
  PEOPLE.filter(({ department }) => department === 'Engineering')[at]?.email ?? '';
const asked = (on: number, email: string, tool: string, group: string, comment: string): Asked => ({
  on,
  email,
  tool,
  group,
  comment,
});
export const ASKED: Asked[] = [
  asked(330, engineer(4), 'Jira', 'project-admins', 'Sets up the board of the payment team.'),
  asked(280, engineer(1), 'Figma', 'editors', 'Draws the new checkout with the designers.'),
  asked(215, engineer(6), 'Jira', 'project-admins', 'Deputy for the migration project.'),
  asked(160, engineer(5), 'Figma', 'editors', 'Comments on the designs of the portal.'),
  asked(105, engineer(7), 'Zendesk', 'agents', 'Helps Support with the export tool.'),
  asked(50, engineer(8), 'Jira', 'project-admins', 'On call for the incident board.'),
];

const isOneOf = (email: string, every: number) =>
  [...email].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % every === 0;

/** The accounts of an app for these people on a day, and for the leaver, whom the finance system kept. */
export function toolAccounts(name: string, staff: readonly Former[], day: number): System['accounts'] {
  const { departments = [], groups = [], licenses = [] } = TOOLS[name] ?? {};
  const [first, second] = groups;
  const got = ASKED.filter(({ tool, on }) => tool === name && on >= day);
  const isGiven = (email: string) => got.some((one) => one.email === email);
  const kept = name === 'SAP' && !staff.some(({ email }) => email === LEAVER.email) ? [LEAVER] : [];
  return [...staff, ...kept]
    .filter(({ department, email }) => departments.includes(department) || isGiven(email))
    .map(({ email, first_name, last_name }) => ({
      id: email,
      email,
      username: email.split('@')[0] ?? email,
      first_name,
      last_name,
      display_name: `${first_name} ${last_name}`,
      status: 'active' as const,
      memberships: {
        group: [
          { id: first?.id ?? '' },
          ...(isGiven(email) || isOneOf(email, 4) ? [{ id: second?.id ?? '' }] : []),
        ],
      },
      assignments: { license: licenses.map(({ id }) => ({ id })) },
    }));
}
