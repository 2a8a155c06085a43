import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Claims = Record<string, unknown>;
type Path = '/token' | '/jwks' | '/userinfo' | '/.well-known/openid-configuration';
type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** An OpenID Connect provider that sends what a test wants it to send. It asks nobody to sign in. */
export interface HostileOidcProvider {
  issuer: string;
  /** The claims of the next id tokens, without `nonce`. */
  claims: Claims;
  /** Turns claims into an id token. */
  issue: (claims: Claims) => string | undefined;
  /** Responds instead of the provider. */
  instead: Map<Path, Respond>;
  rs256(claims: Claims): string;
  close(): Promise<void>;
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function openHostileOidcProvider(clientId: string): Promise<HostileOidcProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => respond(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: HostileOidcProvider = {
    issuer,
    claims: { iss: issuer, aud: clientId, sub: 'someone' },
    issue: (claims) => provider.rs256(claims),
    instead: new Map(),
    rs256: (claims) => {
      const content = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`;
      return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
    },
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };

  function respond(request: IncomingMessage, response: ServerResponse) {
    const path = (request.url ?? '') as Path;
    const special = provider.instead.get(path);
    if (special !== undefined) return special(request, response);
    const bodies: Record<Path, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/token': () => ({
        access_token: 'opaque',
        token_type: 'Bearer',
        id_token: provider.issue({ ...timesNow(), ...provider.claims }),
      }),
      '/userinfo': () => {
        const { sub, email, email_verified } = provider.claims;
        return { sub, email, email_verified };
      },
    };
    const body = bodies[path];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body?.() ?? {}));
  }
  return provider;
}

const timesNow = () => {
  const now = Math.floor(Date.now() / 1000);
  return { iat: now, exp: now + 300 };
};

/** Sends bytes for as long as the other side reads. */
export const endlessly: Respond = (_, response) => {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('drain', more).on('error', () => undefined);
  more();
};

/** An id token without a signature. */
export const unsigned = (claims: Claims) => `${part({ alg: 'none' })}.${part(claims)}.`;

/** An id token that is signed with a secret instead of a key. */
export const signedWithSecret = (claims: Claims, secret: string) => {
  const content = `${part({ alg: 'HS256', kid: 'one' })}.${part(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
};
