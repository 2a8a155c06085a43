import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';

/** Options for a Select of event types. A value that ends with a dot stands for all types that start with it. */
export function useEventTypes() {
  const types = useQuery({ ...get('/api/event-types/'), staleTime: Number.POSITIVE_INFINITY });
  const names = types.data?.results.map(({ event_type }) => event_type) ?? [];
  const prefixes = [...new Set(names.flatMap(prefixesOf))].sort();
  return [
    {
      group: t`Types that start with`,
      items: prefixes.map((prefix) => ({ value: prefix, label: `${prefix}*` })),
    },
    { group: t`Single types`, items: names.map((name) => ({ value: name, label: name })) },
  ];
}

/** `account.group.added`: "account.", "account.group." */
function prefixesOf(type: string): string[] {
  const parts = type.split('.').slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('.')}.`);
}
