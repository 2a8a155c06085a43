import { AsyncLocalStorage } from 'node:async_hooks';

/** The place of a request among those that the process works on (http/overload.ts). */
export interface Place {
  /** Lets waiting requests of the same organization go first if this one has held its place for long. Undefined: it has not. */
  giveWay(): Promise<void> | undefined;
  /** Gives the place back while `work` waits for something outside of this process. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  /** Whether others are sending requests at present. Long work then leaves them half of the process. */
  hasNeighbors(): boolean;
}

const places = new AsyncLocalStorage<Place | undefined>();

/** Runs the rest of a request, which holds `place`. */
export const withPlace = <T>(place: Place, work: () => T): T => places.run(place, work);

/** Returns the place of work that gives none back. */
export const keptPlace = (hasNeighbors: () => boolean): Place => ({
  giveWay: () => undefined,
  outside: (work) => work(),
  hasNeighbors,
});

/**
 * Runs work that does not give its place back, such as a transaction: a request that takes the place might wait for its locks or its
 * connection, and it for the place.
 */
export const keepingPlace = <T>(work: () => T): T => {
  const place = places.getStore();
  return places.run(place && keptPlace(place.hasNeighbors), work);
};

/** Whether others are sending requests while the present one is worked on. */
export const hasNeighbors = (): boolean => places.getStore()?.hasNeighbors() ?? false;

/**
 * For long work to await between two steps, outside of transactions: other requests of the organization go first if this one has held its
 * place for long. Loops with a pacer do it by themselves.
 */
export const giveWay = (): Promise<void> | undefined => places.getStore()?.giveWay();

/** Runs work that waits for another system. Until it ends, the request holds no place among those that the process works on. */
export const outside = <T>(work: () => Promise<T>): Promise<T> => {
  const place = places.getStore();
  return place === undefined ? work() : place.outside(work);
};
