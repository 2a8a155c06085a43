import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';
import { serverText } from '../../language/server-text.ts';
import { KIND_WORDS } from './kinds.ts';

export type Finding = Item<'/api/findings/'>;
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
