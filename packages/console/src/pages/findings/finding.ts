import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';
import { serverText } from '../../language/server-text.ts';

export type Finding = Item<'/api/findings/'>;
type Kind = Finding['kind'];

export const KIND_WORDS: Record<Kind, string> = {
  leaver_with_access: t`Leaver with access`,
  held_sync: t`Held sync`,
  held_policy: t`Held policy`,
  people_change_held: t`Held change of people`,
  overdue_sync: t`Overdue sync`,
  task_without_fulfiller: t`Task without fulfiller`,
  orphaned_account: t`Orphaned account`,
  unowned_account: t`Account without owner`,
  unseen_access: t`Unseen access`,
  grant_of_another_person: t`Access of another person`,
  dormant_privileged: t`Dormant privileged account`,
  last_member_left: t`Group with one member left`,
  own_afterwards: t`Own decision`,
  reviewer_cannot_sign_in: t`Reviewer who cannot sign in`,
};

/** Subjects without a name, and those that no longer exist. */
const SUBJECT_WORDS: Record<Finding['subject']['type'], string> = {
  person: t`Person`,
  account: t`Account`,
  app: t`App`,
  policy: t`Policy`,
  hold: t`Hold`,
  task: t`Task`,
  group: t`Group`,
};

export const subjectOf = ({ subject: { type, label } }: Finding) => label || SUBJECT_WORDS[type];

export const sentenceOf = ({ text: { code, values, sentence } }: Finding) =>
  serverText({ code, values, text: sentence });

/** Returns a name that differs within a list: "Overdue sync: Payroll". */
export const findingName = (finding: Finding) => `${KIND_WORDS[finding.kind]}: ${subjectOf(finding)}`;
