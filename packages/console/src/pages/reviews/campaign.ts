import { plural, t } from '@lingui/core/macro';
import type { Answer, Item } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { grouped, localInput, localTime } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';
import { RISKS } from './item.ts';

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
  /** Local, as the field writes it: "2026-12-01T08:00". Empty for a manual start. */
  starts_at: string;
  due_days: number;
  on_no_response: Campaign['on_no_response'];
  revoke_account_by: Campaign['revoke_account_by'];
  cooling_off_hours: number;
  escalate_after_working_days: number | null;
}

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
    starts_at: starts_at === null ? '' : localInput(starts_at),
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
    starts_at: starts_at === '' ? null : new Date(starts_at).toISOString(),
  };
}

export const FREQUENCIES = {
  once: t`Once`,
  monthly: t`Every month`,
  quarterly: t`Every quarter`,
  annually: t`Every year`,
} satisfies Record<Frequency, string>;

export const frequencyWord = (frequency: Frequency) => FREQUENCIES[frequency];

export const REVIEWERS = {
  manager: t`Each person's manager`,
  app_owner: t`The app owner`,
  account_owner: t`The owner of the account, or the manager`,
  group_owner: t`The owner of the group, or the app owner`,
  people: t`Selected people`,
} satisfies Record<Settings['reviewer'], string>;

const INCLUDED = {
  accounts: t({ message: 'accounts', context: 'in a list of kinds of access' }),
  memberships: t({ message: 'group memberships', context: 'in a list of kinds of access' }),
  assignments: t({ message: 'licenses', context: 'in a list of kinds of access' }),
} satisfies Record<Settings['include'][number], string>;

/** Describes what a campaign does, in sentences. */
export const sentences = (settings: Settings): string[] => [when(settings), ...effects(settings)];

/** Describes what a review of the campaign does once it has started. */
export const effects = (settings: Settings): string[] => [
  ...scopeWords(settings),
  who(settings),
  undecided(settings),
  ...escalation(settings),
  ...removal(settings),
];

function scopeWords({ apps, users, include, not_used_for_days: days, risks }: Settings): string[] {
  const access = listed(include.map((part) => INCLUDED[part]));
  const risk = listed(
    risks.map((one) => RISKS[one].toLocaleLowerCase(formatTag)),
    'disjunction',
  );
  const hasRisks = risks.length > 0 && include.includes('memberships');
  return [
    plural(apps.length, {
      0: `It covers ${access} in all apps.`,
      one: `It covers ${access} in # app.`,
      other: `It covers ${access} in # apps.`,
    }),
    ...(users.trim() === '' ? [] : [t`Only people who match the condition are included.`]),
    ...(hasRisks ? [t`Only groups with this risk are included: ${risk}.`] : []),
    ...(days === null
      ? []
      : [
          plural(days, {
            one: 'Only accounts that were not used for # day are included.',
            other: 'Only accounts that were not used for # days are included.',
          }),
        ]),
  ];
}

function when({ frequency, starts_at }: Settings): string {
  if (starts_at === '')
    return frequency === 'once'
      ? t`The review starts when somebody starts it.`
      : t`Enter when the first review starts.`;
  const moment = localTime(new Date(starts_at));
  return {
    once: t`The review starts on ${moment} your time.`,
    monthly: t`A review starts every month, for the first time on ${moment} your time.`,
    quarterly: t`A review starts every quarter, for the first time on ${moment} your time.`,
    annually: t`A review starts every year, for the first time on ${moment} your time.`,
  }[frequency];
}

function who({ reviewer, reviewers, fallback_reviewers }: Settings): string {
  const fallback = fallback_reviewers.length;
  switch (reviewer) {
    case 'people':
      return plural(reviewers.length, {
        one: 'The selected person decides.',
        other: 'One of # selected people decides.',
      });
    case 'manager':
      return plural(fallback, {
        0: "Each person's manager decides, or an administrator if there is no manager.",
        one: "Each person's manager decides, or the fallback reviewer if there is no manager.",
        other: "Each person's manager decides, or one of # fallback reviewers if there is no manager.",
      });
    case 'app_owner':
      return plural(fallback, {
        0: 'The app owner decides, or an administrator if there is no owner.',
        one: 'The app owner decides, or the fallback reviewer if there is no owner.',
        other: 'The app owner decides, or one of # fallback reviewers if there is no owner.',
      });
    case 'account_owner':
      return plural(fallback, {
        0: "The owner of a service account or the person's manager decides, or an administrator if there is neither.",
        one: "The owner of a service account or the person's manager decides, or the fallback reviewer if there is neither.",
        other:
          "The owner of a service account or the person's manager decides, or one of # fallback reviewers if there is neither.",
      });
    case 'group_owner':
      return plural(fallback, {
        0: 'The owner of the group or else of the app decides, or an administrator if there is neither.',
        one: 'The owner of the group or else of the app decides, or the fallback reviewer if there is neither.',
        other:
          'The owner of the group or else of the app decides, or one of # fallback reviewers if there is neither.',
      });
  }
}

const undecided = ({ due_days, on_no_response }: Settings) =>
  on_no_response === 'revoke'
    ? plural(due_days, {
        one: 'The review is open for # day. Access that nobody has decided on by then is revoked.',
        other: 'The review is open for # days. Access that nobody has decided on by then is revoked.',
      })
    : plural(due_days, {
        one: 'The review is open for # day. Access that nobody has decided on by then is kept.',
        other: 'The review is open for # days. Access that nobody has decided on by then is kept.',
      });

function escalation({ escalate_after_working_days: days }: Settings): string[] {
  if (days === null) return [];
  const second = grouped(days * 2);
  return [
    plural(days, {
      one: `After # working day without a decision, the reviewer's manager can decide, too, and after ${second} the fallback reviewers.`,
      other: `After # working days without a decision, the reviewer's manager can decide, too, and after ${second} the fallback reviewers.`,
    }),
  ];
}

const removal = ({ cooling_off_hours, include, revoke_account_by }: Settings): string[] => [
  plural(cooling_off_hours, {
    0: 'Revoked access is removed immediately.',
    one: 'Revoked access is removed # hour after the decision, which can be changed until then.',
    other: 'Revoked access is removed # hours after the decision, which can be changed until then.',
  }),
  ...(include.includes('accounts') ? [accountRemoval(revoke_account_by)] : []),
];

export const accountRemoval = (by: Settings['revoke_account_by']): string =>
  by === 'suspend'
    ? t`A revoked account is suspended.`
    : t`A revoked account is deleted with all its access.`;
