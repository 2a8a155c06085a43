import { choice, search, text, whole } from '../../kit/browser/address.ts';

export const queriesSearch = search({ page: whole });

/** `query` is the query as JSON, as the API takes it. */
export const querySearch = search({
  query: text,
  page: whole,
  dialog: choice('save', 'copy', 'delete', 'api'),
});
