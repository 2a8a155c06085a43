import type { Query } from '../../api/client.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

export const STATUSES = valuesOf<NonNullable<Query<'/api/tickets/'>['ticket_status']>>({
  PENDING: true,
  APPROVED: true,
  REJECTED: true,
  EXPIRED: true,
  CANCELED: true,
});

export const requestsSearch = search({
  whose: choice('asked', 'mine'),
  status: choice(...STATUSES),
  app: text,
  requester: text,
  page: whole,
});

export const newRequestSearch = search({
  app: text,
  user: text,
  type: choice('extend'),
  connect: flag,
  q: text,
  kind: choice('account', 'group', 'license'),
  page: whole,
});

export const approvalsSearch = search({ ticket: text, asked: flag });
