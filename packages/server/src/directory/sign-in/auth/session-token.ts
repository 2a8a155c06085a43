import { createHash } from 'node:crypto';

/** A session ends after this long, also if it is used. */
export const MAX_AGE_SECONDS = 7 * 24 * 3600;

/** Hashes a session's secret for storage. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex');
