import { keep, readKept } from '../../kit/browser/kept.ts';
import type { Entry, Terms } from './lines.ts';

/** A basket that was not sent yet survives a reload, for one person and one beneficiary. */
export interface Basket {
  entries: readonly Entry[];
  terms: Terms;
  /** The IDs of requests that were sent without a response, by their content. */
  ids: Record<string, string>;
}

const EMPTY: Basket = {
  entries: [],
  terms: { duration: 'permanent', start: '', end: '', reason: '' },
  ids: {},
};

const keyOf = (me: string, user: string) => `gatehouse-basket ${me} ${user}`;

export const keptBasket = (me: string, user: string): Basket =>
  readKept<Basket>(keyOf(me, user), 'tab') ?? EMPTY;

export function keepBasket(me: string, user: string, part: Partial<Basket>): void {
  const basket = { ...keptBasket(me, user), ...part };
  keep(keyOf(me, user), basket.entries.length === 0 ? undefined : basket, 'tab');
}
