import { choice, instant, search, text } from '../../kit/browser/address.ts';

export const CHANGES = ['added', 'removed', 'changed'] as const;

/** The scope is an app, a group or license of the app, or a person. */
export const compareSearch = search({
  app: text,
  user: text,
  slug: text,
  resource: text,
  from: instant,
  to: instant,
  known_at: instant,
  change: choice(...CHANGES),
});

export type CompareSearch = ReturnType<typeof compareSearch>;
/** A search with both times. */
export type Comparing = CompareSearch & { from: string; to: string };
