import type { OrgDb } from '#kit/database.ts';
import type { Candidate } from './facts.ts';
import * as queries from './queries/candidates.ts';

const SHORTEST = 2;
const AT_MOST = 10;

/**
 * Finds active people who can decide, by a part of their name or email. Members who hand over a decision use this search.
 * It returns few people, and none for a text that is too short, so that nobody reads the whole directory with it.
 */
export async function searchCandidates(db: OrgDb, q: string, except: string[]): Promise<Candidate[]> {
  const text = q.trim();
  if ([...text].length < SHORTEST) return [];
  return queries.findCandidates(db, { q: text, except, limit: AT_MOST });
}
