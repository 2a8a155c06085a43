import type { Item } from './cycles.ts';

/** Why a revocation was not possible, in words. Null if it was, or may still be. */
export function whyNotPossible({ not_possible_because: why, resource, app_name }: Item): string | null {
  if (why === 'archived') return `${app_name} is archived, or the access came back after the decision.`;
  if (why !== 'vanished') return why;
  const name = resource?.name || resource?.id;
  return `"${name}" no longer exists in ${app_name}. The access may go on under another name.`;
}
