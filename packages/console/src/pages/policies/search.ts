import { choice, flag, search, text, whole } from '../../parts/address.ts';

export const policiesSearch = search({
  trigger: choice(
    'user.created',
    'user.updated',
    'user.deactivated',
    'user.reactivated',
    'account.discovered',
    'daily',
  ),
  enabled: flag,
  page: whole,
  /** The policy that is to be switched on or off. */
  toggle: text,
  dialog: choice('limit'),
});

export const policySearch = search({
  preview: flag,
  page: whole,
  dialog: choice('toggle', 'delete', 'confirm', 'discard'),
});
