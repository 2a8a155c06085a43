import { flag, instant, search, text } from '../../kit/browser/address.ts';

/**
 * The scope is a person, an account or an app. `sync` is the sync of the app before which the access existed. `possible`
 * includes access that is only possible.
 */
export const restoreSearch = search({
  user: text,
  account: text,
  app: text,
  sync: text,
  as_of: instant,
  possible: flag,
});

export type RestoreSearch = ReturnType<typeof restoreSearch>;
