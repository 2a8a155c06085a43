import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Parameters of addresses that are secrets, at least for some minutes: whoever reads them could sign in. */
const SECRET_PARAMETERS =
  /([?&#](?:code|state|nonce|token|id_token|access_token|refresh_token|client_secret|code_verifier|SAMLResponse|SAMLRequest|RelayState)=)[^&#\s"']*/gi;

/**
 * Creates a logger that writes JSON lines to standard output. Errors are logged with name, message, code and stack
 * only: database errors carry the parameters of their statement, which can be secrets. Addresses are logged without
 * secret parameters, and those of sign-in without any.
 */
export const createLogger = (level: string, stream?: DestinationStream): Logger =>
  pino(
    { level, serializers: { err: plainError, url: plainAddress } },
    ...(stream === undefined ? [] : [stream]),
  );

/** Standard output: the log, and texts for the operator, which keep their place among its lines. */
export interface Output {
  log: DestinationStream;
  print(text: string): void;
}

/** Opens standard output. On a terminal, the log is readable; otherwise it is JSON, and written only after `write` has returned. */
export async function openOutput(): Promise<Output> {
  if (!process.stdout.isTTY) {
    const log = destination(1);
    return { log, print: (text) => void log.write(text) };
  }
  const { readableLog } = await import('./readable-log.ts');
  return { log: readableLog(process.stdout), print: (text) => void process.stdout.write(text) };
}

function plainError(error: unknown) {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  const code = 'code' in error ? error.code : undefined;
  const { name, message, stack } = error;
  return { name, message: withoutSecrets(message), code, stack: stack && withoutSecrets(stack) };
}

const plainAddress = (url: string): string =>
  /^[^?]*\/auth\//i.test(url) ? url.replace(/[?#].*$/s, '') : withoutSecrets(url);

const withoutSecrets = (text: string): string => text.replace(SECRET_PARAMETERS, '$1[removed]');
