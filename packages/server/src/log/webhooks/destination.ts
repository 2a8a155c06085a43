import { invalid } from '../../kit/errors.ts';
import { checkDestination, OutboundRefusal } from '../../kit/http/outbound.ts';

const LONGEST_URL = 2048;

/** Throws 400 unless events may be sent to the address. Each delivery checks again where its name leads. */
export async function requireDestination(text: string): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || text.length > LONGEST_URL)
    throw invalid(`The address must be an https address of at most ${LONGEST_URL} characters (url).`);
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'The address must not contain a user or a password, which would show up in logs. Verify the signature instead (url).',
    );
  if (url.hash !== '') throw invalid('The address must not contain a fragment (url).');
  try {
    await checkDestination(url, true);
  } catch (error) {
    throw error instanceof OutboundRefusal ? invalid(`${error.message} (url)`) : error;
  }
}

/** Returns the host for events: a path or a query may hold a secret. */
export const hostOf = (url: string) => new URL(url).host;
