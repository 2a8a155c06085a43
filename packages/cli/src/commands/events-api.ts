import { createService, reason, ServiceError, silent } from '@gatehouse/connector';

/** An event as `GET /api/events/` returns it (protocol 2.7). */
export interface Event {
  event_id: string;
  event_type: string;
  event_version: number;
  category: string;
  severity: string;
  occurred_at: string;
  ingested_at: string;
  actor: { type: string; uuid: string | null; ip?: string; user_agent?: string };
  subject: { type: string; uuid: string };
  source: { type: string; uuid: string | null };
  payload: Record<string, unknown>;
}

export interface EventPage {
  next_cursor: string;
  previous_cursor: string;
  results: Event[];
}

export type Outcome =
  | { kind: 'page'; page: EventPage; retainedFrom: string | null }
  /** Retry after `seconds`, or after a pause of the caller's choice. */
  | { kind: 'later'; seconds: number | null; reason: string };

/** The service rejected the request for good: an invalid key, address or filter. */
export class Rejected extends Error {}

export interface Api {
  /** Base URL of the organization, such as `https://host/org/slug`. */
  baseUrl: string;
  key: string;
}

const TIMEOUT_MS = 60_000;

/** Fetches one page, in one attempt. Throws Rejected if a retry would be useless. */
export async function fetchPage(
  { baseUrl, key }: Api,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { http } = createService({
    url: baseUrl,
    key,
    log: silent,
    signal,
    attempts: 1,
    // The caller waits between attempts, also after a 429.
    patience: -1,
    timeout: TIMEOUT_MS,
    userAgent: 'gatehouse-events-tail',
  });
  try {
    const { body, headers } = await http('GET', `/api/events/?${new URLSearchParams(query)}`);
    const retainedFrom = headers['gatehouse-events-retained-from'];
    return { kind: 'page', page: body as EventPage, retainedFrom: retainedFrom?.toString() ?? null };
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof ServiceError)) return { kind: 'later', seconds: null, reason: reason(error) };
    const { status, detail, retryAfter = null } = error;
    if (status !== 429 && status < 500) throw new Rejected(`${status} ${detail}`);
    return { kind: 'later', seconds: retryAfter, reason: `${status} ${detail}` };
  }
}
