/**
 * Starts work one piece at a time, each in its own turn of the event loop. Between two pieces, the process reads from its
 * sockets, so that a burst of requests does not delay `/healthz`, which waits for no turn. Work that comes alone starts
 * immediately.
 */
export function takeTurns(): (start: () => void) => void {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function next() {
    const start = waiting.shift();
    isTaken = start !== undefined;
    if (start === undefined) return;
    setImmediate(next);
    start();
  }

  return (start) => {
    if (isTaken) {
      waiting.push(start);
      return;
    }
    isTaken = true;
    setImmediate(next);
    start();
  };
}
