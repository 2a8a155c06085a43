import classes from './avatar.module.css';
import { hueOf, initialsOf } from './initials.ts';

interface Props {
  name: string;
  /** Determines the color. Defaults to the name. */
  of?: string;
}

/** The initials of a person in a circle, always next to the name. Screen readers read only the name. */
export function Avatar({ name, of = name }: Props) {
  return (
    <span className={classes.avatar} data-hue={hueOf(of)} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
