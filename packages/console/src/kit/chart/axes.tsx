import type { ReactNode } from 'react';
import classes from './axes.module.css';

interface Props {
  /** The name of the values: "Duration". */
  name: string;
  /** The largest value, in words. The smallest is 0. */
  most: string;
  /** The first and the last time. Missing if the drawing has its own. */
  ends?: readonly [from: string, to: string];
  /** Whether the drawing is as wide as the page. */
  wide?: boolean;
  children: ReactNode;
}

/** The axes of a drawing. The text alternative of the drawing says the same. */
export function Axes({ name, most, ends, wide = false, children }: Props) {
  return (
    <div className={classes.axes} data-wide={wide || undefined}>
      <span className={classes.name} aria-hidden>
        {name}
      </span>
      <span className={classes.scale} aria-hidden>
        <span>{most}</span>
        <span>0</span>
      </span>
      <div className={classes.plot}>{children}</div>
      {ends && (
        <span className={classes.ends} aria-hidden>
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </span>
      )}
    </div>
  );
}
