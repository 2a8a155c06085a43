import { choice, search, text, whole } from '../../kit/browser/address.ts';

/** `upload` is the file that the wizard works on, so that reloading the page continues. The rest belongs to its plan. */
export const uploadSearch = search({
  upload: text,
  q: text,
  of: choice('account', 'membership', 'resource'),
  page: whole,
});
