import type { Answer, Item } from '../../api/client.ts';
import { counted, exact } from '../../parts/words.ts';

export type Campaign = Answer<'/api/reviews/{review_id}/'>;
export type CycleRow = Item<'/api/reviews/cycles/'>;

/** What a campaign says, as a form holds it. */
export interface Settings {
  name: string;
  apps: string[];
  users: string;
  include: ('accounts' | 'memberships' | 'assignments')[];
  reviewer: 'manager' | 'app_owner' | 'people';
  reviewers: string[];
  fallback: string[];
  frequency: Campaign['frequency'];
  /** In UTC, as a field writes it: "2026-12-01T08:00"; empty: by hand only. */
  starts: string;
  due_days: number;
  on_no_response: Campaign['on_no_response'];
  revoke_account_by: Campaign['revoke_account_by'];
  cooling_off_hours: number;
}

/** What most campaigns want; nothing is kept by silence unless somebody says so here. */
export const USUAL: Settings = {
  name: '',
  apps: [],
  users: '',
  include: ['accounts', 'memberships', 'assignments'],
  reviewer: 'manager',
  reviewers: [],
  fallback: [],
  frequency: 'once',
  starts: '',
  due_days: 14,
  on_no_response: 'keep',
  revoke_account_by: 'delete',
  cooling_off_hours: 24,
};

export function settingsOf(campaign: Campaign): Settings {
  const { name, scope, reviewer, fallback_reviewers, starts_at, frequency, due_days } = campaign;
  const { on_no_response, revoke_account_by, cooling_off_hours } = campaign;
  return {
    name,
    apps: scope.apps ?? [],
    users: scope.users ?? '',
    include: scope.include,
    reviewer: typeof reviewer === 'string' ? reviewer : 'people',
    reviewers: typeof reviewer === 'string' ? [] : reviewer,
    fallback: fallback_reviewers ?? [],
    frequency,
    starts: starts_at === null ? '' : starts_at.slice(0, 16),
    due_days,
    on_no_response,
    revoke_account_by,
    cooling_off_hours,
  };
}

/** As the API takes it. */
export function bodyOf({
  apps,
  users,
  include,
  reviewer,
  reviewers,
  fallback,
  starts,
  name,
  ...rest
}: Settings) {
  return {
    ...rest,
    name: name.trim(),
    scope: {
      apps: apps.length === 0 ? null : apps,
      users: users.trim() === '' ? null : users,
      include,
    },
    reviewer: reviewer === 'people' ? reviewers : reviewer,
    fallback_reviewers: fallback.length === 0 ? null : fallback,
    starts_at: starts === '' ? null : `${starts}:00Z`,
  };
}

/** Why the form cannot be sent yet; undefined: it can. */
export function missing({ include, reviewer, reviewers, frequency, starts }: Settings): string | undefined {
  if (include.length === 0) return 'Say what is reviewed: accounts, groups or licenses.';
  if (reviewer === 'people' && reviewers.length === 0) return 'Say who reviews.';
  if (frequency !== 'once' && starts === '') return 'Say when the first review begins.';
  return undefined;
}

export const FREQUENCIES = [
  { value: 'once', label: 'Once' },
  { value: 'monthly', label: 'Every month' },
  { value: 'quarterly', label: 'Every quarter' },
  { value: 'annually', label: 'Every year' },
] as const;

export const frequencyWord = (frequency: Campaign['frequency']) =>
  FREQUENCIES.find(({ value }) => value === frequency)?.label ?? frequency;

const INCLUDED = { accounts: 'account', memberships: 'group membership', assignments: 'license' } as const;

/** What will happen, in plain sentences. */
export function sentences(settings: Settings): string[] {
  const { apps, users, include, due_days, on_no_response, cooling_off_hours } = settings;
  const what = joined(include.map((part) => INCLUDED[part]));
  const where = apps.length === 0 ? 'every app' : counted(apps.length, 'app');
  const whose = users.trim() === '' ? '' : ', of the people whom the condition fits,';
  return [
    `${when(settings)} every ${what} in ${where}${whose} is put before ${who(settings)}.`,
    `They have ${counted(due_days, 'day')}; what nobody has decided by then is ${on_no_response === 'revoke' ? 'revoked' : 'kept'}.`,
    `What is revoked is taken away ${cooling_off_hours === 0 ? 'at once' : `${counted(cooling_off_hours, 'hour')} after the decision, which can be changed until then`}${accountsGo(settings)}.`,
  ];
}

function when({ frequency, starts }: Settings): string {
  const from = starts === '' ? '' : exactMinute(starts);
  if (frequency === 'once') return from === '' ? 'When it is started by hand,' : `Once, on ${from},`;
  return `${frequencyWord(frequency)}${from === '' ? '' : `, first on ${from}`},`;
}

const exactMinute = (starts: string) => exact(new Date(`${starts}:00Z`)).replace(':00 UTC', ' UTC');

function who({ reviewer, reviewers, fallback }: Settings): string {
  if (reviewer === 'people')
    return reviewers.length === 1
      ? 'the chosen person'
      : `any of ${counted(reviewers.length, 'person', 'people')}`;
  const first = reviewer === 'manager' ? "each person's manager" : 'the owner of the app';
  const instead =
    fallback.length === 0 ? 'the administrators' : counted(fallback.length, 'fallback reviewer');
  return `${first} (or ${instead}, where there is none)`;
}

const accountsGo = ({ include, revoke_account_by }: Settings) =>
  !include.includes('accounts')
    ? ''
    : `; a revoked account is ${revoke_account_by === 'suspend' ? 'suspended' : 'deleted with everything it has'}`;

const joined = (words: string[]) =>
  words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
