import type { Place } from '../place.ts';
import type { Caller, Lines } from './lines.ts';

/** After so long, a request lets others of its organization go first. */
const TURN_MS = 250;

/** The place of a request in the line of its organization. */
export interface LinePlace extends Place {
  /** The turn of the request has come. */
  begin(): void;
  /** Its work has ended. */
  end(): void;
}

/** Returns the place of a request that enters the line. `waitOutside` takes a place among those that wait for other systems. */
export function requestPlace(
  caller: Caller,
  lines: Lines,
  waitOutside: () => () => void,
  now: () => number = () => performance.now(),
): LinePlace {
  let isHeld = false;
  let isOver = false;
  let since = 0;
  let entering: Promise<void> | undefined;

  const begin = () => {
    isHeld = true;
    since = now();
    // The work may have ended while it waited.
    if (isOver) leave();
  };
  const leave = () => {
    if (!isHeld) return;
    isHeld = false;
    lines.leave(caller);
  };
  /** Several parts of a request may come back at the same time. They share the place. */
  const enter = async () => {
    if (isHeld || isOver) return;
    entering ??= new Promise<void>((resolve) => lines.enter(caller, resolve)).then(() => {
      entering = undefined;
      begin();
    });
    await entering;
  };

  return {
    begin,
    hasNeighbors: () => lines.hasNeighbors(caller),
    end() {
      isOver = true;
      leave();
    },
    giveWay() {
      if (!isHeld) return entering;
      if (now() - since < TURN_MS) return undefined;
      since = now();
      if (!lines.hasWaiting(caller)) return undefined;
      leave();
      return enter();
    },
    async outside(work) {
      if (isOver) return work();
      const giveBack = waitOutside();
      leave();
      try {
        return await work();
      } finally {
        giveBack();
        await enter();
      }
    },
  };
}
