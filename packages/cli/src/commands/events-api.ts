/** An event as `/api/events/` answers it (contract 2.7). */
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

export interface Page {
  next_cursor: string;
  previous_cursor: string;
  results: Event[];
}

export type Answer =
  | { kind: 'page'; page: Page; retainedFrom: string | null }
  /** Worth another try after `seconds`, or after a pause of the caller's own choosing. */
  | { kind: 'later'; seconds: number | null; reason: string };

/** The service will never answer this request: a wrong key, a wrong address, a filter that makes no sense. */
export class Refused extends Error {}

export interface Api {
  /** `base_url` of the organization, `https://host/org/slug`. */
  baseUrl: string;
  key: string;
}

const TIMEOUT_MS = 60_000;

/** Asks for one page. Throws Refused where asking again would be no use. */
export async function fetchPage(
  { baseUrl, key }: Api,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const url = `${baseUrl.replace(/\/$/, '')}/api/events/?${new URLSearchParams(query)}`;
  try {
    const answer = await fetch(url, {
      headers: { authorization: `Api-Key ${key}`, 'user-agent': 'gatehouse-events-tail' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (answer.ok) {
      const page = (await answer.json()) as Page;
      return { kind: 'page', page, retainedFrom: answer.headers.get('gatehouse-events-retained-from') };
    }
    const reason = `${answer.status} ${await detailOf(answer)}`;
    if (answer.status !== 429 && answer.status < 500) throw new Refused(reason);
    const wait = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return { kind: 'later', seconds: Number.isFinite(wait) ? wait : null, reason };
  } catch (error) {
    if (error instanceof Refused || signal.aborted) throw error;
    return { kind: 'later', seconds: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function detailOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text);
  } catch {
    return text.slice(0, 200);
  }
}
