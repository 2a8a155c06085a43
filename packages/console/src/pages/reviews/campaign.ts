import type { Answer, Item } from '../../api/client.ts';
import { counted, localTime } from '../../parts/words.ts';

export type Campaign = Answer<'/api/reviews/{review_id}/'>;
export type CycleRow = Item<'/api/reviews/cycles/'>;
type Frequency = Campaign['frequency'];

/** A campaign as the form holds it. */
export interface Settings {
  name: string;
  apps: string[];
  users: string;
  include: Campaign['scope']['include'];
  not_used_for_days: number | null;
  risks: NonNullable<Campaign['scope']['risks']>;
  reviewer: Extract<Campaign['reviewer'], string> | 'people';
  reviewers: string[];
  fallback_reviewers: string[];
  frequency: Frequency;
  /** In UTC, as the field writes it: "2026-12-01T08:00". Empty for a manual start. */
  starts_at: string;
  due_days: number;
  on_no_response: Campaign['on_no_response'];
  revoke_account_by: Campaign['revoke_account_by'];
  cooling_off_hours: number;
  escalate_after_working_days: number | null;
}

/** The defaults of a new campaign. */
export const DEFAULTS: Settings = {
  name: '',
  apps: [],
  users: '',
  include: ['accounts', 'memberships', 'assignments'],
  not_used_for_days: null,
  risks: [],
  reviewer: 'manager',
  reviewers: [],
  fallback_reviewers: [],
  frequency: 'once',
  starts_at: '',
  due_days: 14,
  on_no_response: 'keep',
  revoke_account_by: 'delete',
  cooling_off_hours: 24,
  escalate_after_working_days: null,
};

export function settingsOf(campaign: Campaign): Settings {
  const { name, scope, reviewer, fallback_reviewers, starts_at, frequency, due_days } = campaign;
  const { on_no_response, revoke_account_by, cooling_off_hours, escalate_after_working_days } = campaign;
  return {
    name,
    apps: scope.apps ?? [],
    users: scope.users ?? '',
    include: scope.include,
    not_used_for_days: scope.not_used_for_days,
    risks: scope.risks ?? [],
    reviewer: typeof reviewer === 'string' ? reviewer : 'people',
    reviewers: typeof reviewer === 'string' ? [] : reviewer,
    fallback_reviewers: fallback_reviewers ?? [],
    frequency,
    starts_at: starts_at === null ? '' : starts_at.slice(0, 16),
    due_days,
    on_no_response,
    revoke_account_by,
    cooling_off_hours,
    escalate_after_working_days,
  };
}

/** Returns the settings as the API takes them. */
export function bodyOf(settings: Settings) {
  const { apps, users, include, not_used_for_days, risks, ...others } = settings;
  const { reviewer, reviewers, fallback_reviewers, starts_at, name, ...rest } = others;
  return {
    ...rest,
    name: name.trim(),
    scope: {
      apps: apps.length === 0 ? null : apps,
      users: users.trim() === '' ? null : users,
      include,
      not_used_for_days,
      risks: risks.length > 0 && include.includes('memberships') ? risks : null,
    },
    reviewer: reviewer === 'people' ? reviewers : reviewer,
    fallback_reviewers: fallback_reviewers.length === 0 ? null : fallback_reviewers,
    starts_at: starts_at === '' ? null : `${starts_at}:00Z`,
  };
}

export const FREQUENCIES = {
  once: 'Once',
  monthly: 'Every month',
  quarterly: 'Every quarter',
  annually: 'Every year',
} satisfies Record<Frequency, string>;

export const frequencyWord = (frequency: Frequency) => FREQUENCIES[frequency];

export const REVIEWERS = {
  manager: "Each person's manager",
  app_owner: 'The app owner',
  account_owner: 'The owner of the account, or the manager',
  group_owner: 'The owner of the group, or the app owner',
  people: 'Selected people',
} satisfies Record<Settings['reviewer'], string>;

const INCLUDED = {
  accounts: 'accounts',
  memberships: 'group memberships',
  assignments: 'licenses',
} satisfies Record<Settings['include'][number], string>;

/** Describes what a campaign does. */
export function sentences(settings: Settings): string[] {
  const { apps, users, due_days, on_no_response } = settings;
  const where = apps.length === 0 ? 'all apps' : counted(apps.length, 'app');
  const people = users.trim() === '' ? '' : ' of people who match the condition';
  return [
    `${when(settings)}${who(settings)} reviews the ${accessIn(settings)}${people} in ${where}.`,
    `The review is open for ${counted(due_days, 'day')}. Access that nobody has decided on by then is ${on_no_response === 'revoke' ? 'revoked' : 'kept'}.`,
    ...escalation(settings),
    `${removal(settings)}${accountRemoval(settings)}`,
  ];
}

/** Describes the access in the scope, such as "group memberships of high risk of accounts not used for 90 days". */
function accessIn({ include, not_used_for_days: days, risks }: Settings): string {
  const access = joined(include.map((part) => INCLUDED[part]));
  const risk = risks.length === 0 || !include.includes('memberships') ? '' : ` of ${risks.join(' or ')} risk`;
  return `${access}${risk}${days === null ? '' : `, of accounts not used for ${counted(days, 'day')}`}`;
}

function when({ frequency, starts_at }: Settings): string {
  const from = starts_at === '' ? '' : momentOf(starts_at);
  if (frequency === 'once') return from === '' ? 'When started manually, ' : `Once, on ${from}, `;
  return `${frequencyWord(frequency)}${from === '' ? '' : `, starting on ${from}`}, `;
}

const momentOf = (starts_at: string) => `${localTime(new Date(`${starts_at}:00Z`))} your time`;

const RULES = {
  manager: "each person's manager",
  app_owner: 'the app owner',
  account_owner: 'the owner of each service account, or the manager of the person,',
  group_owner: 'the owner of each group, or else the app owner,',
} satisfies Record<Exclude<Settings['reviewer'], 'people'>, string>;

function who({ reviewer, reviewers, fallback_reviewers }: Settings): string {
  if (reviewer === 'people')
    return reviewers.length === 1
      ? 'the selected person'
      : `one of ${counted(reviewers.length, 'selected person', 'selected people')}`;
  const first = RULES[reviewer];
  const fallback =
    fallback_reviewers.length === 0
      ? 'an administrator'
      : `one of ${counted(fallback_reviewers.length, 'fallback reviewer')}`;
  return `${first} (or ${fallback}, if there is none)`;
}

const escalation = ({ escalate_after_working_days: days }: Settings) =>
  days === null
    ? []
    : [
        `After ${counted(days, 'working day')} without a decision, the reviewer's manager can decide, too, and after ${days * 2} the fallback reviewers.`,
      ];

const removal = ({ cooling_off_hours }: Settings) =>
  cooling_off_hours === 0
    ? 'Revoked access is removed immediately.'
    : `Revoked access is removed ${counted(cooling_off_hours, 'hour')} after the decision, which can be changed until then.`;

const accountRemoval = ({ include, revoke_account_by }: Settings) =>
  include.includes('accounts')
    ? ` A revoked account is ${revoke_account_by === 'suspend' ? 'suspended' : 'deleted with all its access'}.`
    : '';

const joined = (words: string[]) =>
  words.length < 2 ? (words[0] ?? 'selected access') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
