import { zonedTime } from '../../kit/text/words.ts';
import type { Cycle, Item } from './item.ts';
import { facts } from './item.ts';
import classes from './reviews.module.css';

/** The context of an item for its reviewer: how long it has existed, who granted it, when it was last seen. */
export function Facts({ cycle, item }: { cycle: Cycle; item: Item }) {
  return (
    <ul className={classes.facts}>
      {facts(cycle, item).map(({ words, at, notable }) => (
        <li key={words} data-notable={notable} title={at === undefined ? undefined : zonedTime(new Date(at))}>
          {notable === true && <span aria-hidden>⚠ </span>}
          {words}
        </li>
      ))}
    </ul>
  );
}
