import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../errors.ts';
import { loneSurrogate } from './json-reader.ts';
import { httpRefusals } from './sentences.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many values a body may contain, if it may contain more than those of other routes. */
    mostValues?: number;
  }
}

/** How deep a body may be nested. Code that walks a body recursively can rely on this. */
const DEEPEST = 100;

/** How many values a body may contain, so that parsing and checking it takes milliseconds. */
const MOST_VALUES = 20_000;

const jsonOnly = httpRefusals.json_only;

/** Accepts JSON bodies, and requests without a body whatever content type they declare (D19). */
export function parseJsonBodies(http: FastifyInstance) {
  http.removeAllContentTypeParsers();
  http.addHook('preParsing', async (request) => {
    if (isEncoded(request)) throw httpRefusals.body_encoded();
  });
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    try {
      done(null, readJson(bytes as Buffer, request.routeOptions.config.mostValues));
    } catch (error) {
      done(error as Error);
    }
  });
  // A chunked body may turn out to be empty.
  http.addContentTypeParser('*', (_request, body, done) => {
    const endWithoutBody = () => done(null, undefined);
    body.once('end', endWithoutBody);
    body.once('data', () => {
      body.off('end', endWithoutBody);
      done(jsonOnly());
    });
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

/** Parses a body. Throws 400 if it is not JSON in UTF-8, or too deep or too large to be checked quickly. */
export function readJson(bytes: Buffer, mostValues = MOST_VALUES): unknown {
  checkText(bytes, mostValues);
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    throw error instanceof DomainError ? error : httpRefusals.body_not_json();
  }
}

/** Throws 400 if a body is not in UTF-8, too deep, or has too many values. It may still be no JSON. */
export function checkText(bytes: Buffer, mostValues: number) {
  if (!isUtf8(bytes)) throw httpRefusals.body_not_utf8();
  checkShape(bytes, mostValues);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c];

/** Counts brackets and commas outside of strings. Reads each byte once: about 2 ms for a megabyte. */
function checkShape(json: Buffer, mostValues: number) {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) i = endOfString(json, i);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++depth > DEEPEST) throw httpRefusals.body_too_deep({ most: DEEPEST });
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA) values++;
    if (values > mostValues) throw httpRefusals.body_too_many_values({ most: mostValues });
  }
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
  const mayHaveSurrogates = text.includes('\\u') && /\\ud[89a-f]/i.test(text);
  if (!mayHaveSurrogates) return JSON.parse(text);
  return JSON.parse(text, (key, value) => {
    const isText = key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed());
    if (!isText) throw loneSurrogate();
    return value;
  });
}
