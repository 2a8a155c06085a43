import { createPrivateKey, sign } from 'node:crypto';
import { fill } from '@gatehouse/connector/declarative';
import type { Auth } from './definition.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { explanation, nameOf, RequestError } from './failures.ts';

export type Authorization = {
  /** Returns the headers that authenticate a request. */
  headers(): Promise<Record<string, string>>;
  /** Forgets a token that was rejected, so that the next request gets a new one. False if there is none to renew. */
  renew(rejected: Record<string, string>): boolean;
};
type Tools = {
  settings: Readonly<Record<string, unknown>>;
  /** Sends a request without authentication, with the usual retries. */
  send(request: Outgoing): Promise<Incoming>;
  /** Hides a secret in messages from now on. */
  conceal(secret: string): void;
};

export function createAuthorization(auth: Auth | undefined, tools: Tools): Authorization {
  const { client_credentials, refresh_token, signed_jwt } = auth ?? {};
  if (client_credentials) return byToken(() => fetchByCredentials(client_credentials, tools), tools);
  if (refresh_token) return byToken(keepingRefreshToken(refresh_token, tools), tools);
  if (signed_jwt) return byToken(() => fetchByJwt(signed_jwt, tools), tools);
  const fixed = fixedHeaders(auth ?? {}, tools);
  return { headers: async () => fixed, renew: () => false };
}

function fixedHeaders({ basic, bearer, header }: Auth, tools: Tools): Record<string, string> {
  const filled = (text: string) => fill(text, tools.settings);
  if (basic) {
    const pair = Buffer.from(`${filled(basic.username)}:${filled(basic.password)}`).toString('base64');
    tools.conceal(pair);
    return { authorization: `Basic ${pair}` };
  }
  if (bearer !== undefined) return { authorization: `Bearer ${filled(bearer)}` };
  return header ? { [header.name.toLowerCase()]: filled(header.value) } : {};
}

type Token = { text: string; expires: number };
/** A token is renewed this long before it expires, so that it does not expire on its way. */
const MARGIN = 30_000;

/** Requests that need a token at the same time share one request for it. */
function byToken(fetchToken: () => Promise<Token>, { conceal }: Tools): Authorization {
  let current: Promise<Token> | undefined;
  let known: Token | undefined;
  const get = async (): Promise<Token> => {
    if (known && known.expires <= Date.now()) current = known = undefined;
    current ??= fetchToken();
    try {
      known = await current;
      conceal(known.text);
      return known;
    } catch (error) {
      current = undefined;
      throw error;
    }
  };
  return {
    headers: async () => ({ authorization: `Bearer ${(await get()).text}` }),
    renew: (rejected) => {
      // Another request may have renewed it already.
      if (known && rejected.authorization === `Bearer ${known.text}`) current = known = undefined;
      return true;
    },
  };
}

type Kind<K extends keyof Auth> = NonNullable<Auth[K]>;

async function fetchByCredentials(auth: Kind<'client_credentials'>, tools: Tools): Promise<Token> {
  const filled = (text: string) => fill(text, tools.settings);
  const id = filled(auth.client_id);
  const secret = filled(auth.client_secret);
  const inBody = auth.send_in === 'body';
  const form = {
    grant_type: 'client_credentials',
    ...(auth.scope === undefined ? {} : { scope: filled(auth.scope) }),
    ...(auth.audience === undefined ? {} : { audience: filled(auth.audience) }),
    ...(inBody ? { client_id: id, client_secret: secret } : {}),
  };
  // Both are form-encoded before they are joined (RFC 6749, 2.3.1).
  const pair = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  tools.conceal(pair);
  return (await request(auth.token_url, form, tools, inBody ? {} : { authorization: `Basic ${pair}` })).token;
}

/** A server may replace the refresh token with each use. The new one is kept until the process ends. */
function keepingRefreshToken(auth: Kind<'refresh_token'>, tools: Tools): () => Promise<Token> {
  const filled = (text: string) => fill(text, tools.settings);
  let refreshToken = filled(auth.refresh_token);
  return async () => {
    const { token, body } = await request(
      auth.token_url,
      {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: filled(auth.client_id),
        ...(auth.client_secret === undefined ? {} : { client_secret: filled(auth.client_secret) }),
        ...(auth.scope === undefined ? {} : { scope: filled(auth.scope) }),
      },
      tools,
    );
    if (typeof body.refresh_token === 'string') refreshToken = body.refresh_token;
    tools.conceal(refreshToken);
    return token;
  };
}

/** Exchanges a JWT, signed with the key of a service account, for a token (RFC 7523, 2.1). */
async function fetchByJwt(auth: Kind<'signed_jwt'>, tools: Tools): Promise<Token> {
  const filled = (text: string) => fill(text, tools.settings);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: filled(auth.issuer),
    ...(auth.subject === undefined ? {} : { sub: filled(auth.subject) }),
    ...(auth.scope === undefined ? {} : { scope: filled(auth.scope) }),
    aud: filled(auth.audience ?? auth.token_url),
    iat: now,
    exp: now + 600,
  };
  const { algorithm = 'RS256' } = auth;
  const keyId = auth.key_id === undefined ? {} : { kid: filled(auth.key_id) };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${part({ alg: algorithm, typ: 'JWT', ...keyId })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(unsigned), {
    key: privateKeyOf(filled(auth.private_key)),
    ...(algorithm === 'ES256' ? { dsaEncoding: 'ieee-p1363' as const } : {}),
  });
  const assertion = `${unsigned}.${signature.toString('base64url')}`;
  tools.conceal(assertion);
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  return (await request(auth.token_url, form, tools)).token;
}

/** In an environment variable, the lines of a key are often separated by `\n` in two characters. */
function privateKeyOf(pem: string) {
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    throw new RequestError('the private key is not a key in PEM (auth.signed_jwt.private_key)', {
      code: 'PERMISSION_DENIED',
    });
  }
}

async function request(
  address: string,
  form: Record<string, string>,
  tools: Tools,
  headers: Record<string, string> = {},
): Promise<{ token: Token; body: Record<string, unknown> }> {
  const url = new URL(fill(address, tools.settings));
  const { status, text } = await tools.send({
    method: 'POST',
    url,
    headers: {
      ...headers,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    content: new URLSearchParams(form).toString(),
  });
  const body = objectIn(text);
  const denied = { code: 'PERMISSION_DENIED' } as const;
  if (status !== 200 && status !== 201) {
    const why = typeof body.error === 'string' ? body.error : undefined;
    const detail = [why, body.error_description ?? (why ? undefined : explanation(body))]
      .filter(Boolean)
      .join(': ');
    throw new RequestError(
      `no token: ${nameOf('POST', url)} returned ${status}${detail ? ` (${detail})` : ''}`,
      { status, ...(status < 500 && status !== 429 ? denied : {}) },
    );
  }
  if (typeof body.access_token !== 'string')
    throw new RequestError(`no token: ${nameOf('POST', url)} returned no access_token`, denied);
  // Without a lifetime, the token is used until it is rejected.
  const seconds = Number(body.expires_in);
  const lifetime = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
  const expires = Date.now() + Math.max(lifetime - MARGIN, lifetime / 2);
  return { token: { text: body.access_token, expires }, body };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
