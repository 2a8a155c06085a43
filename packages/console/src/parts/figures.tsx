import classes from './figures.module.css';
import { grouped } from './words.ts';

/** A number and its noun: `[3, 'account suspended', 'accounts suspended']`. */
export type Figure = readonly [value: number, one: string, many: string];

/** Counts that come before a list. Those that are zero are left out. */
export function Figures({ label, of }: { label: string; of: readonly Figure[] }) {
  const shown = of.filter(([value]) => value > 0);
  if (shown.length === 0) return null;
  return (
    <ul className={classes.figures} aria-label={label}>
      {shown.map(([value, one, many]) => (
        <li key={many}>
          <strong>{grouped(value)}</strong> {value === 1 ? one : many}
        </li>
      ))}
    </ul>
  );
}
