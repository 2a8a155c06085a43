import { t } from '@lingui/core/macro';
import { Email } from '../../kit/controls/email.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Name } from '../../kit/text/name.tsx';
import { Avatar } from '../../people/avatar.tsx';
import { type Progress, reviewerName } from './progress.ts';
import classes from './reviewer-cell.module.css';

/** A reviewer with initials, the email below the name, and whether they cannot sign in. */
export function ReviewerCell({ row }: { row: Progress }) {
  const { reviewer } = row;
  const name = reviewerName(row);
  if (reviewer === null) return name;
  return (
    <span className={classes.reviewer}>
      <Avatar name={name} of={reviewer.external_uuid} />
      <span>
        <Name of={name} />
        {name !== reviewer.email && <Email of={reviewer.email} />}
        {row.cannot_sign_in && <Status of="absent" look="warn" word={t`Cannot sign in`} />}
      </span>
    </span>
  );
}
