import { useQuery } from '@tanstack/react-query';
import type { Coverage, List } from '../api/client.ts';
import { instant } from '../kit/browser/address.ts';

/** The time that a page shows, as its address holds it. Undefined stands for now. */
export interface Past {
  as_of?: string | undefined;
  /** Leaves out everything that Gatehouse learned after this time. */
  known_at?: string | undefined;
  /** Another time, with which the page compares it. */
  versus?: string | undefined;
}

/** The subject of a page that shows the past. Without any, all apps. */
export interface Subject {
  user?: string | undefined;
  account?: string | undefined;
  app?: string | undefined;
  /** With an app: one of its groups or licenses. */
  slug?: string | undefined;
  resource?: string | undefined;
}

/** The parameters that the past adds to the address of its page. */
export const pastSearch = { as_of: instant, known_at: instant, versus: instant };

export const NOW: Past = { as_of: undefined, known_at: undefined, versus: undefined };

/** The query parameters. `known_at` means nothing without a time. */
export const pastQuery = ({ as_of, known_at }: Past): Past =>
  as_of === undefined ? {} : { as_of, known_at };

/** Adds the time to an address: a link that leads from the past stays in the past. */
export function addressAt(address: string, { as_of, known_at }: Past): string {
  if (as_of === undefined) return address;
  const query = new URLSearchParams(known_at === undefined ? { as_of } : { as_of, known_at });
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** Reads the syncs around the time of a list. The list must be about the past. */
export function useCoverage<T>(list: List<T>, enabled = true): readonly Coverage[] | undefined {
  const { data } = useQuery({
    queryKey: [...list.key, 'coverage'],
    queryFn: ({ signal }) => list.page({ limit: 1, offset: 0, count_to: 1 }, signal),
    enabled,
  });
  return data?.coverage;
}
