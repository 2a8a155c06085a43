import { t } from '@lingui/core/macro';
import type { SavedQuery } from './query.ts';

export const stopWords: Record<NonNullable<SavedQuery['stopped']>, string> = {
  owner_left: t`Its owner has left. Save a copy to schedule it again.`,
  owner_may_not: t`Its owner may no longer read it. Save a copy to schedule it again.`,
  no_recipients: t`No recipient may read it any longer. Choose others to schedule it again.`,
  query_invalid: t`A field in this query no longer exists. Change the query to schedule it again.`,
  too_slow: t`The query takes too long. Add conditions that fewer rows meet to schedule it again.`,
  failed: t`The query failed. Change its conditions to schedule it again.`,
};
