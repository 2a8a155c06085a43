import type { Call } from '../../kit/identity/call.ts';
import { reviewingPerson } from './cycles.ts';
import { openReviewsOfPeople } from './queries/of-people.ts';

/** An open cycle with undecided items about a person's access. */
export interface OpenReviewOfPerson {
  user: string;
  /** The id of the cycle. */
  external_uuid: string;
  name: string;
  due_at: Date | null;
  undecided: number;
  /** The items among them that the caller reviews. */
  to_decide: number;
}

/** Returns the open cycles about these people. The caller has checked that the principal may know of them. */
export const openReviewsOf = async (call: Call, userIds: readonly string[]): Promise<OpenReviewOfPerson[]> =>
  openReviewsOfPeople(call, await reviewingPerson(call), userIds);
