import { choice, search, text, whole } from '../../parts/address.ts';

export const accountsSearch = search({
  q: text,
  app: text,
  status: choice('ACTIVE', 'INVITED', 'NEW', 'SUSPENDED', 'INACTIVE'),
  page: whole,
});
