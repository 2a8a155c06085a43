import { grouped } from '../text/words.ts';
import classes from './figures.module.css';

/** A number and its label: `[3, plural(3, { one: 'account suspended', other: 'accounts suspended' })]`. */
export type Figure = readonly [value: number, label: string];

/** Counts that come before a list. Those that are zero are left out. */
export function Figures({ label, of }: { label: string; of: readonly Figure[] }) {
  const shown = of.filter(([value]) => value > 0);
  if (shown.length === 0) return null;
  return (
    <ul className={classes.figures} aria-label={label}>
      {shown.map(([value, what]) => (
        <li key={what}>
          <strong>{grouped(value)}</strong> {what}
        </li>
      ))}
    </ul>
  );
}
