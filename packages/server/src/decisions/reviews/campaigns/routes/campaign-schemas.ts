import { type Static, Type } from 'typebox';
import { instantForSql } from '#kit/instants.ts';
import { Component, Instant, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { INCLUDE, REVIEWER_RULES, RISKS, type Settings } from '../cycle.ts';
import type { Campaign } from '../facts.ts';
import { FREQUENCIES } from '../schedule.ts';
import { Decision, RevokeAccountBy } from '../schemas.ts';

const People = Type.Array(Uuid, { minItems: 1, maxItems: 100 });
const Reviewer = Type.Union([Type.Enum([...REVIEWER_RULES]), People]);
const Frequency = Type.Enum([...FREQUENCIES]);
const Included = Type.Array(Type.Enum([...INCLUDE]), { minItems: 1, maxItems: 3 });

const DormantFor = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description:
      'Only accounts that were not used for this number of days, and known for as long if never used. Leaves out apps that do not say when accounts are used. Null: all accounts.',
  }),
);
const Risks = Nullable(
  Type.Array(Type.Enum([...RISKS]), {
    minItems: 1,
    maxItems: 3,
    description:
      'Only memberships of groups with one of these risks, and the accounts that have such a membership. Null: all.',
  }),
);

const Scope = Component('NewReviewScope', {
  apps: Type.Optional(
    Nullable(Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Null or absent: all apps.' })),
  ),
  users: Type.Optional(
    Nullable(
      Type.String({ description: "CEL over user, for example user.attributes.department == 'Finance'." }),
    ),
  ),
  include: Type.Optional(Included),
  not_used_for_days: Type.Optional(DormantFor),
  risks: Type.Optional(Risks),
});

const Escalation = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    description:
      "Working days (Monday to Friday, UTC) without a decision after which the reviewer's manager can decide, and after twice as many the fallback reviewers. Null: never.",
  }),
);

/** Settings that have a default (protocol 14). */
const optional = {
  reviewer: Type.Optional(Reviewer),
  scope: Type.Optional(Scope),
  fallback_reviewers: Type.Optional(Nullable(People)),
  frequency: Type.Optional(Frequency),
  starts_at: Type.Optional(Nullable(Instant)),
  due_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  on_no_response: Type.Optional(Decision),
  revoke_account_by: Type.Optional(RevokeAccountBy),
  cooling_off_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 24 * 90 })),
  escalate_after_working_days: Type.Optional(Escalation),
};
const Name = Type.String({ minLength: 1, maxLength: 255 });
export const NewCampaign = Component('NewReviewCampaign', { name: Name, ...optional });
export const CampaignChange = Component('ReviewCampaignChange', { name: Type.Optional(Name), ...optional });

const DEFAULTS: Omit<Settings, 'name'> = {
  scope: { apps: null, users: null, include: [...INCLUDE], not_used_for_days: null, risks: null },
  reviewer: 'manager',
  fallback_reviewers: null,
  frequency: 'once',
  starts_at: null,
  due_days: 14,
  on_no_response: 'keep',
  revoke_account_by: 'delete',
  cooling_off_hours: 24,
  escalate_after_working_days: null,
};

const lowerCase = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))];

/** Returns the time as ISO 8601 in UTC. */
const startIn = (text: string): string => new Date(instantForSql(text)).toISOString();

/** Returns the settings that a body names. */
export function changeIn(body: Static<typeof CampaignChange>): Partial<Settings> {
  const { name, scope, reviewer, fallback_reviewers, starts_at, ...rest } = body;
  const {
    frequency,
    due_days,
    on_no_response,
    revoke_account_by,
    cooling_off_hours,
    escalate_after_working_days,
  } = rest;
  const given = {
    name,
    scope: scope && {
      apps: scope.apps == null ? null : lowerCase(scope.apps),
      users: scope.users ?? null,
      include: scope.include === undefined ? [...INCLUDE] : [...new Set(scope.include)],
      not_used_for_days: scope.not_used_for_days ?? null,
      risks: scope.risks == null ? null : [...new Set(scope.risks)],
    },
    reviewer: Array.isArray(reviewer) ? lowerCase(reviewer) : reviewer,
    fallback_reviewers: fallback_reviewers ? lowerCase(fallback_reviewers) : fallback_reviewers,
    frequency,
    starts_at: starts_at ? startIn(starts_at) : starts_at,
    due_days,
    on_no_response,
    revoke_account_by,
    cooling_off_hours,
    escalate_after_working_days,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const settingsIn = (body: Static<typeof NewCampaign>): Settings => ({
  ...DEFAULTS,
  name: body.name,
  ...changeIn(body),
});

const TimestampOf = (description: string) =>
  Type.Unsafe<Date>({ type: 'string', format: 'date-time', description });

export const CampaignView = Component('ReviewCampaign', {
  external_uuid: Uuid,
  name: Type.String(),
  scope: Type.Object({
    apps: Nullable(Type.Array(Uuid)),
    users: Nullable(Type.String()),
    include: Type.Array(Type.Enum([...INCLUDE])),
    not_used_for_days: DormantFor,
    risks: Risks,
  }),
  reviewer: Reviewer,
  fallback_reviewers: Nullable(
    Type.Array(Uuid, { description: "Null: the organization's owners and administrators." }),
  ),
  frequency: Frequency,
  starts_at: Nullable(Timestamp),
  due_days: Type.Integer(),
  on_no_response: Decision,
  revoke_account_by: RevokeAccountBy,
  cooling_off_hours: Type.Integer(),
  escalate_after_working_days: Escalation,
  next_opens_at: Nullable(TimestampOf('When the next scheduled cycle opens.')),
  last_empty_at: Nullable(
    TimestampOf('When a scheduled cycle last had nothing to review and was not opened.'),
  ),
  created_by: Nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const campaignView = ({ settings, ...campaign }: Campaign) => ({
  external_uuid: campaign.id,
  ...settings,
  ...campaign,
  scope: { not_used_for_days: null, risks: null, ...settings.scope },
  escalate_after_working_days: settings.escalate_after_working_days ?? null,
  starts_at: settings.starts_at === null ? null : new Date(settings.starts_at),
});
