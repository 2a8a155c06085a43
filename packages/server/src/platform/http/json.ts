import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalid } from '../errors.ts';
import type { Http } from './server.ts';

/** How deep a body may be nested. Code that walks a body recursively can rely on this. */
const DEEPEST = 100;

const jsonOnly = () => new DomainError('unsupported_media_type', 'Send the body as application/json.');

/** Accepts JSON bodies, and requests without a body whatever content type they declare (D19). */
export function parseJsonBodies(http: Http) {
  http.removeAllContentTypeParsers();
  http.addHook('preParsing', async (request) => {
    if (isEncoded(request))
      throw new DomainError('unsupported_media_type', 'Send the body without a Content-Encoding.');
  });
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    try {
      done(null, jsonOf(bytes as Buffer));
    } catch (error) {
      done(error instanceof DomainError ? error : invalid('The body is not valid JSON.'));
    }
  });
  // A chunked body may turn out to be empty.
  http.addContentTypeParser('*', (_request, body, done) => {
    body.once('data', () => done(jsonOnly()));
    body.once('end', () => done(null, undefined));
    body.once('error', done);
  });
}

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding !== '' && encoding !== 'identity' && !isEmpty(headers);
}

/** Whether a request certainly has no body. */
export const isEmpty = (headers: NodeJS.Dict<string | string[]>) =>
  headers['transfer-encoding'] === undefined &&
  (headers['content-length'] === undefined || headers['content-length'] === '0');

function jsonOf(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8. Send JSON in UTF-8.');
  if (isTooDeep(bytes)) throw invalid(`The body is nested more than ${DEEPEST} levels deep.`);
  return parseJson(bytes.toString('utf8'));
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets outside of strings. Reads each byte once: about 2 ms for a megabyte. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) i = endOfString(json, i);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > DEEPEST) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}

function endOfString(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1;
  return i;
}

/**
 * Parses JSON and rejects lone surrogates, which JSON can escape but no database stores. `__proto__` becomes an own
 * property like any other: it is a valid slug, so a page may use it as a key. secure-json-parse would drop it.
 */
function parseJson(text: string): unknown {
  const mayHaveSurrogates = /\\ud[89a-f]/i.test(text);
  if (!mayHaveSurrogates) return JSON.parse(text);
  return JSON.parse(text, (key, value) => {
    const isText = key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed());
    if (!isText) throw invalid('The body contains a lone surrogate, which is not valid text. Remove it.');
    return value;
  });
}
