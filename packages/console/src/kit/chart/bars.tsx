import { Link } from '@tanstack/react-router';
import { linkTo } from '../browser/address.ts';
import { grouped } from '../text/words.ts';
import classes from './bars.module.css';

export interface Bar {
  name: string;
  value: number;
  /** The value of a full bar. Defaults to the largest value of all bars. */
  of?: number;
  /** Replaces the number: "97 of 100". */
  words?: string;
  /** The page with the details. */
  to?: string;
  bad?: boolean;
}

/** A horizontal bar chart. Screen readers read it as a table. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <table className={classes.bars} aria-label={label}>
      <tbody>
        {bars.map(({ name, value, of, words, to, bad = false }) => {
          const share = Math.min(1, value / Math.max(1, of ?? longest));
          return (
            <tr key={name}>
              <th scope="row">{to === undefined ? name : <Link {...linkTo(to)}>{name}</Link>}</th>
              <td className={classes.drawing}>
                <svg width="100%" height="12" aria-hidden="true" data-bad={bad || undefined}>
                  <rect className={classes.track} width="100%" height="12" rx="2" />
                  <rect className={classes.fill} width={`${share * 100}%`} height="12" rx="2" />
                </svg>
              </td>
              <td className={classes.number}>{words ?? grouped(value)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
