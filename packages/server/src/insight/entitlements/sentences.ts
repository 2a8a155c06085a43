import { refusals } from '#kit/errors.ts';

export const entitlementRefusals = refusals({
  invalid: {
    entitlements_not_with_as_of:
      '{misplaced} cannot be combined with as_of. Such a list takes app, type, slug, id, q and resource_id, and is in the order of names.',
  },
});
