import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claims by sign-in name. A person without an entry has their sign-in name as email address. */
  people: Map<string, Record<string, unknown>>;
  /** Signs `login` in at the address to which Gatehouse sends people. Returns the address to which they are sent back. */
  visit(url: string, login: string): Promise<URL>;
  close(): Promise<void>;
}

/** Starts a real OpenID Connect provider (oidc-provider) on this machine, with its own pages. */
export async function openOidcProvider(redirectUris: string[]): Promise<OidcProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Record<string, unknown>>();
  const client = { client_id: 'gatehouse', client_secret: 'a secret of the tests' };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: redirectUris }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['cookies of the tests'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, ...people.get(id) }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    people,
    visit: (url, login) => visit(issuer, url, login),
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/** Acts like a person in a browser: follows redirects, signs in and consents until redirected elsewhere. */
async function visit(issuer: string, start: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const go = async (url: URL, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  let url = new URL(start);
  for (let steps = 0; url.origin === issuer && steps < 12; steps++) {
    const page = await go(url);
    const html = await page.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
    const next = prompt === undefined ? page : await go(url, { prompt, login, password: 'any' });
    const location = next.headers.get('location');
    if (location === null) throw new Error(`The provider returned ${next.status}: ${html}`);
    url = new URL(location, url);
  }
  return url;
}
