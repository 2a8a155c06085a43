import type { Call } from '#kit/identity.ts';
import type { OpenReviewOfPerson } from '../campaigns/cycle.ts';
import { reviewingPerson } from './cycles.ts';
import { openReviewsOfPeople } from './queries/of-people.ts';

/** Returns the open cycles about these people. The caller has checked that the principal may know of them. */
export const openReviewsOf = async (call: Call, userIds: readonly string[]): Promise<OpenReviewOfPerson[]> =>
  openReviewsOfPeople(call, await reviewingPerson(call), userIds);
