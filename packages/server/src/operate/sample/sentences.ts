import { refusals } from '#kit/errors.ts';

export const sampleRefusals = refusals({
  conflict: {
    organization_not_empty:
      'A sample company needs an empty organization: one without apps, members, policies and reviews.',
    sample_changed:
      'The creation of the sample company was interrupted, and the organization has changed since. Remove the sample company, then create it again.',
  },
});
