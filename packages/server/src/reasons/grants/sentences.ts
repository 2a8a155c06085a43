import { refusals } from '#kit/errors.ts';

export const grantRefusals = refusals({
  invalid: {
    owed_now_only:
      'Whether a grant is owed is known for the present only. Leave out as_of, or choose another status.',
  },
  forbidden: {
    key_without_app_of_grant: 'This API key cannot access the app of this grant.',
    own_grants_only:
      'A member can only see the grants of their own accounts and of people who report to them.',
  },
});
