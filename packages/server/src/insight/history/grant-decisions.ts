import type { ReadGrantDecisions } from '#decisions/reviews/cycles/context.ts';
import { grantDecisions } from './queries/grant-decisions.ts';

/** Returns the request, policy or person behind each of these tasks, for reviewers of the access that they granted. */
export const readGrantDecisions: ReadGrantDecisions = grantDecisions;
