import { choice, flag, search, whole } from '../../kit/browser/address.ts';

export const webhooksSearch = search({ page: whole, new: flag });

export const webhookSearch = search({
  page: whole,
  outcome: choice('delivered', 'failed', 'skipped'),
  dialog: choice('edit', 'enable', 'rotate', 'replay', 'skip', 'delete'),
});
