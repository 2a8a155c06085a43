import type { Query } from '../../api/client.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';
import { START_IDS } from './start-ids.ts';

const TRIGGERS = valuesOf<NonNullable<Query<'/api/policies/'>['trigger']>>({
  'user.created': true,
  'user.updated': true,
  'user.starts': true,
  'user.ends': true,
  'user.deactivated': true,
  'user.reactivated': true,
  'user.on_leave': true,
  'user.back': true,
  'account.discovered': true,
  daily: true,
});

/** `toggle` is the policy to enable or disable. */
export const policiesSearch = search({
  trigger: choice(...TRIGGERS),
  enabled: flag,
  page: whole,
  toggle: text,
  dialog: choice('limit'),
});

/** `from`: the template. `days`: until leavers are deleted. */
export const newPolicySearch = search({ from: choice('empty', ...START_IDS), days: whole });

export const policySearch = search({
  preview: flag,
  page: whole,
  dialog: choice('toggle', 'delete', 'confirm', 'discard'),
});
