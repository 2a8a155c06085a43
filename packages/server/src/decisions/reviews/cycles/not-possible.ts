import type { Item } from './item-schemas.ts';

/** Why a revocation was not possible, in words. Null if it was, or may still be. */
export function whyNotPossible(item: Item): string | null {
  const { not_possible_because: why, resource, app_name, kept_by, kept_for } = item;
  if (why === 'archived') return `${app_name} is archived, so its access is not removed.`;
  if (why === 'returned')
    return 'The access was gone when it was revoked, and came back later. Remove it with a task, or in another review.';
  if (why === 'kept')
    return `The account would also lose "${kept_for?.name || kept_for?.id}", which ${kept_for?.by.email} has decided to keep.`;
  if (why === 'derived')
    return `The account has the access through "${kept_by?.name || kept_by?.id}", which stays.`;
  if (why !== 'vanished') return why;
  const name = resource?.name || resource?.id;
  return `"${name}" no longer exists in ${app_name}. The access may go on under another name.`;
}
