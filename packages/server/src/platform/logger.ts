import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * Creates a logger that writes JSON lines to standard output. Errors are logged with name, message, code and stack
 * only: database errors carry the parameters of their statement, which can be secrets.
 */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, serializers: { err: plainError } }, ...(destination === undefined ? [] : [destination]));

function plainError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return { name: error.name, message: error.message, code, stack: error.stack };
}
