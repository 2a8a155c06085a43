import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * JSON lines on standard output. Of an error only its name, message, code and stack are logged: database errors
 * carry the statement's parameters, and those can be secrets.
 */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, serializers: { err: plainError } }, ...(destination === undefined ? [] : [destination]));

function plainError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return { name: error.name, message: error.message, code, stack: error.stack };
}
