import { Fragment, type ReactNode } from 'react';
import classes from './properties.module.css';

interface Props {
  /** Name and value; a value of undefined is left out. */
  of: readonly (readonly [name: string, value: ReactNode])[];
}

/** What a thing is, name by name. */
export function Properties({ of }: Props) {
  return (
    <dl className={classes.list}>
      {of.map(([name, value]) =>
        value === undefined ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
