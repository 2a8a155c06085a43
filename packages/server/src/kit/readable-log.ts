import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

interface Terminal {
  write(text: string): unknown;
  hasColors?(): boolean;
}

/** An escape of JSON, or a character that controls a terminal and that JSON does not escape. */
const ESCAPES = /\\(u[0-9a-f]{4}|.)|(?!\n)\p{Cc}/giu;

/**
 * Returns a destination that writes each line of the JSON log for a person at a terminal. Values in the log come from
 * strangers, so characters that control the terminal are replaced.
 */
export function readableLog(terminal: Terminal): DestinationStream {
  const readable = prettyFactory({
    colorize: terminal.hasColors?.() ?? false,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    singleLine: true,
  });
  return {
    write: (line) => {
      terminal.write(readable(line.replace(ESCAPES, withoutControl)));
    },
  };
}

const withoutControl = (found: string, escaped?: string) =>
  escaped === undefined || /^(?:[brf]|u00[0189][0-9a-f]|u007f)$/i.test(escaped) ? '\ufffd' : found;
