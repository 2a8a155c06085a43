import type { Socket } from 'node:net';
import type { Sentence } from '../sentences.ts';
import { RAW_HEADERS } from './headers.ts';
import { httpSentences } from './sentences.ts';

interface ClientError {
  code: string;
  /** A Buffer. Fastify declares the form that it has as JSON. */
  rawPacket: unknown;
}

/** How long a client may take to read the reply and to stop sending. */
const LINGER_MS = 1000;

/** Replies to a request that Node.js could not parse, as `{detail, code}` (D5), and closes the connection. */
export function replyToClientError(error: ClientError, socket: Socket) {
  // `end` closes our half only. Destroying the socket immediately would discard the reply while unread input remains.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  if (!socket.writable) return;
  const [status, { text, code }] = refusalOf(error);
  const body = JSON.stringify({ detail: text, code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nConnection: close\r\n${RAW_HEADERS}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function refusalOf({ code, rawPacket }: ClientError): [status: string, why: Sentence] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isStillFirstLine(rawPacket)
        ? ['414 URI Too Long', httpSentences.address_too_long()]
        : ['431 Request Header Fields Too Large', httpSentences.headers_too_large()];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', httpSentences.request_too_late()];
    default:
      return ['400 Bad Request', httpSentences.request_not_http()];
  }
}

/** Node.js does not say whether the address or a header is too long. Without a line break, it is the address. */
const isStillFirstLine = (packet: unknown) =>
  Buffer.isBuffer(packet) &&
  /^[A-Z]+ /.test(packet.toString('latin1', 0, 16)) &&
  firstLine(packet) > 8 * 1024;

const firstLine = (packet: Buffer) => {
  const end = packet.indexOf('\n');
  return end === -1 ? packet.length : end;
};
