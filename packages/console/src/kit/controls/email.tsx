import { Name } from '../text/name.tsx';
import classes from './email.module.css';

/** An email, small and on one line. Its end may be cut off: the tooltip and screen readers have all of it. */
export const Email = ({ of }: { of: string }) => (
  <span className={classes.email} title={of}>
    <Name of={of} />
  </span>
);
