import { refusals } from '#kit/errors.ts';

export const deciderRefusals = refusals({
  conflict: {
    decider_deactivated: '{email} is deactivated. Choose another person.',
    decider_is_auditor: '{email} is an auditor, and auditors do not decide. Choose another person.',
    decider_is_concerned:
      '{email} cannot decide this, because it is by them, for them or about their own access. Choose another person.',
    decider_has_seat:
      'This step already requires the approval of {email}, who counts once. Choose another person.',
    decider_has_decided:
      '{email}, or somebody on their behalf, has already approved this request. Choose another person.',
  },
});
