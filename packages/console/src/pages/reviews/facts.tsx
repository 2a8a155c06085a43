import { zonedTime } from '../../kit/text/words.ts';
import classes from './facts.module.css';
import { type Cycle, facts, type Item } from './item.ts';

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
