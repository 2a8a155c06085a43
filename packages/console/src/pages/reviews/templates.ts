import { t } from '@lingui/core/macro';
import { localInput } from '../../kit/text/words.ts';
import type { Settings } from './campaign.ts';
import { NEW_CAMPAIGN } from './campaign-form.tsx';

/** Settings with which a campaign can begin. */
export interface Template {
  id: string;
  name: string;
  about: string;
  settings: Settings;
}

/** The first day of the next month, at 9 o'clock local time. */
function nextMonth(): string {
  const now = new Date();
  return localInput(new Date(now.getFullYear(), now.getMonth() + 1, 1, 9).toISOString());
}

type Draft = Omit<Template, 'settings'> & { settings: Partial<Settings> };

const DRAFTS = [
  {
    id: 'everyone',
    name: t`All access, every quarter`,
    about: t`Managers check what their people have.`,
    settings: { frequency: 'quarterly', escalate_after_working_days: 5 },
  },
  {
    id: 'privileged',
    name: t`Groups with high risk`,
    about: t`The owners of the groups check their members every quarter.`,
    settings: {
      include: ['memberships'],
      risks: ['high'],
      reviewer: 'group_owner',
      frequency: 'quarterly',
      escalate_after_working_days: 3,
    },
  },
  {
    id: 'unused',
    name: t`Accounts not used for 90 days`,
    about: t`Managers check them once. Revoked accounts are suspended, and can come back.`,
    settings: { include: ['accounts'], not_used_for_days: 90, revoke_account_by: 'suspend' },
  },
  {
    id: 'licenses',
    name: t`Licenses not used for 60 days`,
    about: t`The app owners check which ones are still needed.`,
    settings: { include: ['assignments'], not_used_for_days: 60, reviewer: 'app_owner' },
  },
  {
    id: 'leavers',
    name: t`Access of people who left`,
    about: t`The app owners decide within a week. Without a decision, the access is revoked.`,
    settings: {
      users: "user.status == 'deactivated'",
      reviewer: 'app_owner',
      due_days: 7,
      on_no_response: 'revoke',
    },
  },
  {
    id: 'external',
    name: t`Access of external people`,
    about: t`Managers check it every month. Without a decision, the access is revoked.`,
    settings: { users: "user.domain_type == 'external'", frequency: 'monthly', on_no_response: 'revoke' },
  },
  {
    id: 'services',
    name: t`Service accounts`,
    about: t`The owners of the accounts confirm every year that they are still needed.`,
    settings: {
      users: "user.identity_type == 'service_account'",
      reviewer: 'account_owner',
      frequency: 'annually',
      revoke_account_by: 'suspend',
    },
  },
  {
    id: 'apps',
    name: t`Accounts of each app, every year`,
    about: t`The app owners check who has an account, also those that belong to nobody.`,
    settings: { include: ['accounts'], reviewer: 'app_owner', frequency: 'annually' },
  },
] satisfies Draft[] as readonly Draft[];

export const TEMPLATES: readonly Template[] = DRAFTS.map(({ settings, ...draft }) => ({
  ...draft,
  settings: {
    ...NEW_CAMPAIGN,
    ...settings,
    name: draft.name,
    // A recurring campaign needs a first day.
    ...(settings.frequency === undefined ? {} : { starts_at: nextMonth() }),
  },
}));
