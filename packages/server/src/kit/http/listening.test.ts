import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenFailure, originAt, requireFreePlace } from './listening.ts';

test('explains that another process uses the port', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;

  await expect(requireFreePlace({ host: '127.0.0.1', port })).rejects.toThrow(
    `Another process uses port ${port} of 127.0.0.1. Stop it, or set PORT to a free port.`,
  );
});

test.each([
  ['192.0.2.1', 'This machine does not have the address 192.0.2.1.'],
  ['nowhere.invalid', 'The host name nowhere.invalid does not resolve. Set HOST to'],
])('explains that the server cannot listen on %s', async (host, sentence) => {
  await expect(requireFreePlace({ host, port: 0 })).rejects.toThrow(sentence);
});

test('leaves the port free', async () => {
  await requireFreePlace({ host: '127.0.0.1', port: 0 });
});

test('explains that the user may not use the port, and leaves other errors alone', () => {
  const other = new Error('a fault of the program');

  expect(
    listenFailure(Object.assign(new Error(), { code: 'EACCES' }), { host: '::', port: 80 }),
  ).toMatchObject({
    message: expect.stringContaining('may not use port 80. Set PORT to 1024 or higher'),
  });
  expect(listenFailure(other, { host: '::', port: 80 })).toBe(other);
});

test('writes addresses of IPv6 in brackets', () => {
  expect(originAt({ host: '::1', port: 8080 })).toBe('http://[::1]:8080');
  expect(originAt({ host: 'localhost', port: 8080 })).toBe('http://localhost:8080');
});
