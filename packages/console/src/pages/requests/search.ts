import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELED'] as const;

export const requestsSearch = search({
  whose: choice('asked', 'mine'),
  status: choice(...STATUSES),
  app: text,
  requester: text,
  page: whole,
});

export const newRequestSearch = search({ app: text, user: text, type: choice('extend'), connect: flag });

export const approvalsSearch = search({ ticket: text });
