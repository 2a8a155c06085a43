import { keep, readKept } from '../kit/browser/kept.ts';
import type { FindItem } from './find-items.tsx';

const MOST = 6;
const keyOf = (person: string) => `gatehouse-recent ${person}`;
export type Recent = Omit<FindItem, 'icon'>;

/** The entries that this person opened last in this browser, newest first. */
export const recentOf = (person: string) => readKept<Recent[]>(keyOf(person)) ?? [];

export function rememberRecent(person: string, { icon: _, ...item }: FindItem): void {
  const others = recentOf(person).filter(({ id }) => id !== item.id);
  keep(keyOf(person), [item, ...others].slice(0, MOST));
}

/** Removes the entries: they name people, and somebody else may use the browser next. */
export const forgetRecent = (person: string) => keep(keyOf(person), undefined);
