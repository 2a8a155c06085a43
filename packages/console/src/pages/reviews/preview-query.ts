import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { bodyOf, type Settings } from './campaign.ts';

/** Returns the `useQuery` options for what a review with these settings would have. The name and the times do not matter. */
export function previewOf(settings: Settings) {
  const { scope, reviewer, fallback_reviewers, on_no_response } = bodyOf({ ...settings, starts_at: '' });
  // Nobody is selected so far: the form asks for them.
  const body = {
    scope,
    fallback_reviewers,
    on_no_response,
    ...(reviewer.length === 0 ? {} : { reviewer }),
  };
  return queryOptions({
    queryKey: ['review-preview', body],
    queryFn: ({ signal }) => ok(api.POST('/api/reviews/preview/', { body, signal })),
    enabled: scope.include.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // Invalid settings are marked in their fields.
    retry: false,
  });
}
