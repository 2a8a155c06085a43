import { t } from '@lingui/core/macro';
import { orNull } from '../kit/form/field.ts';
import { area } from '../kit/form/text-fields.tsx';

/** The field for the reason of a task that somebody creates. */
export const taskReason = orNull(
  area({
    label: t`Reason`,
    description: t`Recorded on the task and in the event log.`,
    maxLength: 2000,
    rows: 2,
  }),
);
