import { checkDestination, OutboundRefusal } from '#kit/net/outbound.ts';
import { webhookRefusals } from './sentences.ts';

const LONGEST_URL = 2048;

/** Throws 400 unless events may be sent to the address. Each delivery checks again where its name leads. */
export async function requireDestination(text: string): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || text.length > LONGEST_URL)
    throw webhookRefusals.webhook_address_not_https({ most: LONGEST_URL });
  if (url.username !== '' || url.password !== '') throw webhookRefusals.webhook_address_with_password();
  if (url.hash !== '') throw webhookRefusals.webhook_address_with_fragment();
  try {
    await checkDestination(url, true);
  } catch (error) {
    throw error instanceof OutboundRefusal
      ? webhookRefusals.webhook_address_refused({ problem: error.sentence })
      : error;
  }
}

/** Returns the host for events: a path or a query may hold a secret. */
export const hostOf = (url: string) => new URL(url).host;
