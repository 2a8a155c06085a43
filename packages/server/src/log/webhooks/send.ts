import { outboundReason, withOutbound } from '#kit/net/outbound.ts';
import { signedHeaders } from './signing.ts';

const DEADLINE_MS = 15_000;
const KEPT_BYTES = 1024;

/** A message in the format of Standard Webhooks. */
export interface Message {
  /** The event's id. The same for each attempt. */
  id: string;
  /** JSON text. It is signed and sent as it is. */
  body: string;
}

/** Returns the message about an event. `data` is JSON text. */
export const messageOf = (event: {
  id: string;
  type: string;
  occurredAt: string;
  body: string;
}): Message => ({
  id: event.id,
  body: `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.occurredAt)},"data":${event.body}}`,
});

/** How an attempt ended. */
export interface Outcome {
  /** Null if there was no response. */
  status: number | null;
  durationMs: number;
  /** Null if the receiver took the message. Otherwise a sentence. */
  error: string | null;
  /** The beginning of the response's body. */
  response: string | null;
  /** For how many seconds the receiver wants to be left alone. */
  retryAfter: number | null;
}

/** Returns what the delivery log has about an attempt. */
export const entryOf = ({ status, durationMs, error, response }: Outcome) => ({
  outcome: error === null ? ('delivered' as const) : ('failed' as const),
  status,
  duration_ms: durationMs,
  error,
  response,
});

/** Sends a message once. Any 2xx within the deadline is a success. Never throws. */
export async function send(
  url: string,
  secrets: readonly string[],
  message: Message,
  deadlineMs = DEADLINE_MS,
): Promise<Outcome> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    const response = await withOutbound({ allowLoopback: true, deadlineMs, cutBodiesAt: KEPT_BYTES }, () =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Gatehouse-Webhooks',
          ...signedHeaders(secrets, message),
        },
        body: message.body,
      }),
    );
    const { status, ok } = response;
    return {
      status,
      durationMs: durationMs(),
      error: ok ? null : sentenceFor(status),
      response: (await response.text()).replaceAll('\0', '') || null,
      retryAfter: ok ? null : secondsOf(response.headers.get('retry-after')),
    };
  } catch (error) {
    const sentence = explain(error, deadlineMs);
    return { status: null, durationMs: durationMs(), error: sentence, response: null, retryAfter: null };
  }
}

function sentenceFor(status: number): string {
  if (status === 410) return 'The receiver replied 410 Gone, which ends the deliveries.';
  if (status >= 300 && status < 400)
    return `The receiver redirected the request (${status}). Gatehouse does not follow redirects: enter the final address.`;
  return `The receiver replied ${status}.`;
}

/** The value of Retry-After: seconds, or a date. */
function secondsOf(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return seconds > 0 ? seconds : null;
}

function explain(error: unknown, deadlineMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `The receiver did not reply within ${deadlineMs / 1000} seconds.`;
  return outboundReason(error) ?? 'The request failed.';
}
