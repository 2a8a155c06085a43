import { refusals } from '#kit/errors.ts';

export const organizationRefusals = refusals({
  forbidden: {
    organization_suspended: 'The organization {slug} is suspended: {reason}',
    organization_to_be_deleted: 'The organization {slug} is suspended and will be deleted after {date}.',
  },
  taken: {
    organization_slug_taken: 'An organization with the slug {slug} already exists.',
  },
  conflict: {
    organization_already_suspended: 'The organization {slug} is already suspended.',
    organization_not_suspended: 'The organization {slug} is not suspended.',
    organization_deletion_ordered: 'The organization {slug} will already be deleted after {delete_after}.',
    organization_deletion_not_ordered: 'No deletion of the organization {slug} was ordered.',
    organization_deletion_begun:
      'The deletion of the organization {slug} has begun. It can no longer be withdrawn.',
  },
});
