import { Fragment, type ReactNode } from 'react';
import classes from './properties.module.css';

interface Props {
  /** Pairs of name and value. Pairs whose value is undefined are left out. */
  of: readonly (readonly [name: string, value: ReactNode])[];
}

/** A list of names and values. */
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
