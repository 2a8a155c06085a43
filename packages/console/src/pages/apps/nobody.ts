import { t } from '@lingui/core/macro';

/** Why settings of manual fulfillment cannot be saved with which nobody would get a task. */
export const nobody = () =>
  t`Nobody would carry out the tasks. Choose at least one person or group of fulfillers, or an owner of the app.`;

/** Why every task cannot go to the owner of an app that has none. */
export const noOwner = () =>
  t`The app has no owner. Choose one in its settings, or let the fulfillers take turns.`;
