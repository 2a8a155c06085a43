import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resolveName } from './names.ts';
import { checkDestination, withOutbound } from './outbound.ts';

const A = 1;

/** Asks only a name server that knows these IPv4 addresses until the test ends. It never replies about other names. */
async function nameServer(known: Record<string, string[]>): Promise<void> {
  const socket = createSocket('udp4').on('message', (query, { address, port }) => {
    const end = query.indexOf(0, 12) + 5;
    const name = query.toString('latin1', 13, end - 5).replace(/[^\w-]/g, '.');
    const addresses = known[name.toLowerCase()];
    if (addresses === undefined) return;
    const isIpv4 = query.readUInt16BE(end - 4) === A;
    const answers = (isIpv4 ? addresses : []).map((one) =>
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...one.split('.').map(Number)]),
    );
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  const before = getServers();
  setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  onTestFinished(() => {
    setServers(before);
    socket.close();
  });
}

test('asks the name servers, and checks every address that they return', async () => {
  await nameServer({
    'public.example': ['8.8.8.8'],
    'mixed.example': ['8.8.8.8', '10.0.0.1'],
    'no.example': [],
  });

  expect(await resolveName('public.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  await expect(resolveName('no.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await checkDestination(new URL('https://public.example/'), false);
  for (const request of [
    () => checkDestination(new URL('https://mixed.example/'), false),
    () => withOutbound({ allowLoopback: false }, () => fetch('https://mixed.example/')),
  ])
    await expect(request()).rejects.toThrow('mixed.example has the address 10.0.0.1');
});

test('gives up on name servers that do not reply, and many such names delay no other work', async () => {
  await nameServer({ 'public.example': ['8.8.8.8'] });
  let waiting = 100;
  const slow = Array.from({ length: waiting }, (_, i) =>
    resolveName(`slow-${i}.example`).finally(() => {
      waiting -= 1;
    }),
  );

  const checked = checkDestination(new URL('https://slow.example/'), false);

  expect(await resolveName('public.example')).toHaveLength(1);
  expect(await lookup('localhost')).toBeDefined();
  expect(waiting).toBe(100);

  for (const { reason } of (await Promise.allSettled(slow)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'EAI_AGAIN' });
  await checked;
});

test('leaves addresses, and the names of this machine, to the system', async () => {
  await nameServer({});

  expect(await resolveName('8.8.8.8')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  for (const { address } of await resolveName('localhost')) expect(['127.0.0.1', '::1']).toContain(address);
});
