import { refusals } from '#kit/errors.ts';

export const offboardRefusals = refusals({
  forbidden: { own_offboarding: 'You cannot offboard yourself. Ask another administrator.' },
  conflict: {
    successor_leaves: 'hand_over.{field}: This person leaves. Choose another person.',
    successor_deactivated: 'hand_over.{field}: {email} is deactivated. Choose another person.',
    successor_is_auditor:
      'hand_over.{field}: {email} is an auditor, and auditors do not decide. Choose another person.',
    too_many_accounts: 'This person has more than {most} accounts. Delete some of them first.',
  },
  unprocessable: {
    offboarded_account_unknown: 'accounts: {account} is not an account that this person has.',
  },
});
