import { Email } from '../../kit/controls/email.tsx';
import { Avatar } from '../../people/avatar.tsx';
import { type Progress, reviewerName } from './progress.ts';
import classes from './reviewer-cell.module.css';

/** A reviewer with initials, and the email below the name. */
export function ReviewerCell({ row }: { row: Progress }) {
  const { reviewer } = row;
  const name = reviewerName(row);
  if (reviewer === null) return name;
  return (
    <span className={classes.reviewer}>
      <Avatar name={name} of={reviewer.external_uuid} />
      <span>
        {name}
        {name !== reviewer.email && <Email of={reviewer.email} />}
      </span>
    </span>
  );
}
