import { refusals } from '#kit/errors.ts';

export const sampleRefusals = refusals({
  conflict: {
    organization_not_empty:
      'A sample company needs an empty organization: one without apps, members, policies and reviews.',
  },
});
