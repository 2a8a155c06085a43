import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { currentPassword } from '../../sign-in/password-fields.ts';
import { keepEmail, lastEmail } from './last-email.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Nothing else than wrong credentials has this status here. */
function inWords(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  throw new ApiError(401, t`Wrong email address or password.`);
}

interface Props {
  /** The email of the person whose session has ended. */
  email?: string | undefined;
  /** Called before the password is sent. */
  before: () => void;
  /** Called once the password is accepted. */
  after: (needsSecondFactor: boolean) => void;
}

const FIELDS = {
  email: text({
    label: t`Email`,
    type: 'email',
    name: 'email',
    autoComplete: 'username webauthn',
    required: true,
    withAsterisk: false,
  }),
  password: currentPassword(t`Password`, { name: 'password' }),
};

export function PasswordForm({ email = lastEmail(), before, after }: Props) {
  const form = useFields(FIELDS, {
    of: { email: email ?? '', password: '' },
    send: (body) => {
      before();
      return ok(api.POST('/auth/sign-in/', { body })).catch(inWords);
    },
    after: ({ second_factor }) => {
      keepEmail(form.values.email);
      after(second_factor === true);
    },
  });
  const props = email === undefined ? {} : { password: { 'data-autofocus': true } };
  return <SignInForm of={form} props={props} action={t`Sign in`} />;
}
