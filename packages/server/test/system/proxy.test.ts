import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { useOutboundProxy } from '#kit/net/outbound.ts';
import { readProxy } from '../../../protocol/src/net/outbound-proxy.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { makeCertificate, trust } from '../certificates.ts';
import { openProxy, type TestProxy } from '../proxy.ts';
import { signInAsOwner } from '../sign-in.ts';

const HOST = 'outside.example.invalid';
let outside: Server;
let proxy: TestProxy;
let service: TestApp;

beforeAll(async () => {
  const certificate = makeCertificate(`DNS:${HOST}`);
  trust(certificate);
  outside = createServer(certificate, ({ url }, response) => {
    const at = (path: string) => `https://${HOST}${path}`;
    const discovery = {
      issuer: at(''),
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      jwks_uri: at('/keys'),
    };
    response.end(url?.includes('openid-configuration') ? JSON.stringify(discovery) : 'ok');
  });
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done));
  service = await openTestApp();
});
afterAll(async () => {
  await service.close();
  outside.closeAllConnections();
  outside.close();
});
beforeEach(async () => {
  proxy = await openProxy();
  proxy.routes.set(`${HOST}:443`, (outside.address() as AddressInfo).port);
  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: `http://gatehouse:s3cret-word@127.0.0.1:${proxy.port}` }));
});
afterEach(async () => {
  useOutboundProxy(undefined);
  await proxy.close();
});

const REFUSED = `The proxy in GATEHOUSE_PROXY refused a connection to ${HOST}:443 (403).`;

test('webhooks go through the proxy, and their test says why it refuses', async () => {
  const { body: made } = await service.call('POST', '/api/webhooks/', {
    name: 'Siem',
    url: `https://${HOST}/`,
  });
  const delivered = await service.call('POST', `/api/webhooks/${made.id}/test/`);
  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: `http://gatehouse:s3cret-word@127.0.0.1:${proxy.port}` }));
  proxy.refuseWith = 403;
  const refused = await service.call('POST', `/api/webhooks/${made.id}/test/`);

  expect(delivered.body, JSON.stringify(delivered)).toMatchObject({ status: 200, error: null });
  expect(refused.body).toMatchObject({ status: null, error: expect.stringContaining(REFUSED) });
  expect(JSON.stringify(refused.body)).not.toContain('s3cret-word');
  expect(proxy.asked).toEqual([`${HOST}:443`, `${HOST}:443`]);
});

test('channels go through the proxy, and their test says why it refuses', async () => {
  const { body: made } = await service.call('POST', '/api/notifications/channels/', {
    type: 'slack',
    name: 'Security',
    url: `https://${HOST}/secret-path`,
    kinds: ['sync_failed'],
  });
  const path = `/api/notifications/channels/${made.external_uuid}/test/`;
  const delivered = await service.call('POST', path);
  proxy.refuseWith = 403;
  outside.closeAllConnections();
  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: `http://127.0.0.1:${proxy.port}` }));
  const refused = await service.call('POST', path);

  expect(delivered.body, JSON.stringify([made, delivered])).toEqual({ delivered: true, reason: null });
  expect(refused.body).toMatchObject({ delivered: false, reason: expect.stringContaining(REFUSED) });
});

test('providers are read through the proxy, and the error of their set-up says why it refuses', async () => {
  const owner = await signInAsOwner(service);
  const provider = (id: string) => ({
    id,
    name: 'Outside',
    type: 'oidc',
    oidc: { issuer: `https://${HOST}`, client_id: 'gatehouse', client_secret: 'a secret' },
    email_domains: ['acme.example'],
  });
  const made = await owner.call('POST', '/api/sign-in-providers/', provider('outside'));
  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: `http://127.0.0.1:${proxy.port}` }));
  proxy.refuseWith = 403;
  const refused = await owner.call('POST', '/api/sign-in-providers/', provider('refused'));

  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(REFUSED) } });
});
