import { t } from '@lingui/core/macro';
import { password } from '../kit/form/password-field.tsx';

type Props = Parameters<typeof password>[0];

const required = (label: string, autoComplete: string, more: Partial<Props> = {}) =>
  password({ label, autoComplete, required: true, withAsterisk: false, ...more });

export const currentPassword = (label: string, more?: Partial<Props>) =>
  required(label, 'current-password', more);

/** Proves that it is still the same person. */
export const OWN_PASSWORD = { password: currentPassword(t`Your password`, { 'data-autofocus': true }) };

export const NEW_PASSWORD = {
  new_password: required(t`New password`, 'new-password', {
    description: t`12 to 128 characters. Four random words make a good password.`,
    minLength: 12,
    maxLength: 128,
  }),
  confirmation: required(t`Confirm password`, 'new-password'),
};

/** Validates NEW_PASSWORD. */
export const bothMatch = {
  confirmation: (confirmation: string, { new_password }: { new_password: string }) =>
    confirmation === new_password ? null : t`The passwords do not match.`,
};
