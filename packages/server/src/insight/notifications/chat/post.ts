import { outboundReason, withOutbound } from '#kit/net/outbound.ts';
import type { Message } from '../message.ts';
import { type Outcome, sentence } from '../outcome.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

export interface Target {
  type: 'slack' | 'teams';
  url: string;
  allowLoopback: boolean;
}

const DEADLINE_MS = 10_000;
/** Longer pauses that a receiver asks for are cut. */
const LONGEST_PAUSE_SECONDS = 3600;

/** Posts messages to an incoming webhook, as one. Reasons name the host only: the rest of the address is secret. */
export async function post(
  { type, url, allowLoopback }: Target,
  messages: readonly Message[],
): Promise<Outcome> {
  const body = JSON.stringify(type === 'slack' ? slackMessage(messages) : teamsMessage(messages));
  const { hostname } = new URL(url);
  try {
    const response = await withOutbound({ allowLoopback, deadlineMs: DEADLINE_MS }, () =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    );
    return outcomeOf(response, hostname);
  } catch (error) {
    return { ok: false, reason: reasonOf(error, hostname), final: false };
  }
}

function outcomeOf({ ok, status, headers }: Response, hostname: string): Outcome {
  if (ok) return { ok: true };
  const reason = `${hostname} answered with the status ${status}.`;
  if (status === 429) return { ok: false, reason, final: false, pauseSeconds: pauseIn(headers) };
  // Another attempt would get the same answer: the address is gone, or it redirects.
  return { ok: false, reason, final: status < 500 && status !== 408 };
}

/** Returns the seconds that Retry-After asks for (RFC 9110): a number, or a date. */
function pauseIn(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_PAUSE_SECONDS) : 60;
}

const reasonOf = (error: unknown, hostname: string): string =>
  sentence(outboundReason(error) ?? `${hostname} could not be reached.`);
