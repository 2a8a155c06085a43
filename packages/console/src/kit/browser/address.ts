import { useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { opensDialog } from './dialog-history.ts';

type Reader<T> = (raw: string) => T | undefined;
type Values<S> = { [K in keyof S]?: (S[K] extends Reader<infer T> ? T : never) | undefined };

export const text: Reader<string> = (raw) => (raw === '' ? undefined : raw);
export const whole: Reader<number> = (raw) => (/^[0-9]{1,9}$/.test(raw) ? Number(raw) : undefined);
export const flag: Reader<boolean> = (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined);
/** A moment as the API writes it: "2026-03-01T00:00:00Z". */
export const instant: Reader<string> = (raw) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(raw) && !Number.isNaN(Date.parse(raw))
    ? raw
    : undefined;
export const choice =
  <const T extends string>(...values: readonly T[]): Reader<T> =>
  (raw) =>
    values.find((value) => value === raw);

/**
 * Defines what a page keeps in its address: `search({ q: text, page: whole, status: choice('pending', 'failed') })`.
 * Every parameter is optional, and invalid values are dropped. Each area defines its pages in search.ts, for the router.
 */
export function search<S extends Record<string, Reader<unknown>>>(shape: S) {
  return (raw: Record<string, unknown>): Values<S> => {
    const read = Object.entries(shape).flatMap(([name, reader]) => {
      const value = raw[name] === undefined ? undefined : reader(String(raw[name]));
      return value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(read) as Values<S>;
  };
}

/**
 * Returns the page's part of the address and a function to change it: `const [at, go] = useAddress(appsSearch)`.
 * `go({ q })` keeps the other parameters but returns to page 1, unless it sets `page` itself. undefined removes one.
 * A dialog gets an entry in the history, so that Back closes it; all other changes replace the current entry.
 */
export function useAddress<T extends object>(validate: (raw: Record<string, unknown>) => T) {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const router = useRouter();
  const go = useCallback(
    (change: Partial<T>) => {
      const { search: before } = router.latestLocation;
      const { dialog } = router.history.location.state;
      const search = { ...before, page: undefined, ...change };
      const [wasOpen, isOpen] = [opensDialog(before), opensDialog(search)];
      if (wasOpen && !isOpen && dialog !== undefined) return router.history.back();
      void router.navigate({
        to: '.',
        search: search as never,
        state: (state) => ({
          ...state,
          dialog: isOpen ? (dialog ?? (wasOpen ? undefined : 'address')) : undefined,
        }),
        replace: wasOpen || !isOpen,
        resetScroll: false,
      });
    },
    [router],
  );
  return [validate(raw), go] as const;
}

/** Splits an address of the console into the props of a link. */
export function linkTo(address: string) {
  const [to = '/', query = ''] = address.split('?', 2);
  return { to, search: Object.fromEntries(new URLSearchParams(query)) as never };
}

/** Reads and writes addresses as plain text, as a person would type them: `?q=12` is the text "12". */
export const plainSearch = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values: Record<string, unknown>) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
};
