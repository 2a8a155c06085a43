import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Name } from '../../kit/text/name.tsx';
import { seenNames } from './seen-names.ts';
import type { Task } from './task.ts';
import classes from './tasks.module.css';

interface Props {
  seen: NonNullable<Task['seen']>;
  changes: Task['changes'];
}

/** Lists what the connector saw when it read the account back. */
export function SeenAfterwards({ seen, changes }: Props) {
  const states = {
    active: t`The account is active`,
    inactive: t`The account is inactive`,
    suspended: t`The account is suspended`,
    absent: t`The account does not exist`,
  };
  const { held, missing } = seenNames(seen, changes);
  return (
    <ul className={classes.seen}>
      <li>{states[seen.account]}</li>
      {held.map(({ key, name }) => (
        <li key={key}>
          <Trans>
            Has <Name of={name} />
          </Trans>
        </li>
      ))}
      {missing.map(({ key, name }) => (
        <li key={key}>
          <Trans>
            Does not have <Name of={name} />
          </Trans>
        </li>
      ))}
    </ul>
  );
}
