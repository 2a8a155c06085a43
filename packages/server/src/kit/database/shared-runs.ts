/**
 * Shares the runs of `work` among concurrent callers. Each gets the result of a run that began after its call, and at most
 * one run is in progress.
 */
export function shareRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  const start = (): Promise<T> => {
    const run = work().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  };
  return () => {
    if (current === undefined && next === undefined) return start();
    next ??= Promise.resolve(current)
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
