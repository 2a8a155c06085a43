import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { Ber, BerReader, BerWriter } from 'ldapts';
import { afterEach, expect, test } from 'vitest';
import { Session } from './session.ts';
import { connectTo } from './test/tools.ts';
import { toLookUp } from './unseen.ts';

const bind = 0x61;
const entry = 0x64;
const done = 0x65;
const paging = '1.2.840.113556.1.4.319';
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Starts a server whose pages hold the given names. RFC 2696 ends a list by an empty cookie, not by an empty page. */
async function serve(pages: string[][]): Promise<string> {
  const sockets: Socket[] = [];
  let page = 0;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (data: Buffer) => {
      const reader = new BerReader(data);
      reader.readSequence();
      const id = reader.readInt() ?? 0;
      const operation = reader.peek();
      if (operation === 0x60) socket.write(message(id, bind));
      if (operation !== 0x63) return;
      for (const name of pages[page] ?? []) socket.write(message(id, entry, name));
      page++;
      socket.write(message(id, done, undefined, page < pages.length ? `page ${page}` : ''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function message(id: number, operation: number, name?: string, cookie?: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(operation);
  if (name === undefined) {
    writer.writeEnumeration(0);
    writer.writeString('');
    writer.writeString('');
  } else {
    writer.writeString(name);
    writer.startSequence();
    writer.endSequence();
  }
  writer.endSequence();
  if (cookie !== undefined) {
    const value = new BerWriter();
    value.startSequence();
    value.writeInt(0);
    value.writeString(cookie);
    value.endSequence();
    writer.startSequence(0xa0);
    writer.startSequence();
    writer.writeString(paging);
    writer.writeBuffer(value.buffer, Ber.OctetString);
    writer.endSequence();
    writer.endSequence();
  }
  writer.endSequence();
  return writer.buffer;
}

test('reads on after an empty page', async () => {
  const url = await serve([['uid=a'], [], [], ['uid=b'], []]);
  const session = new Session({ url, bindDn: '', bindPassword: '', startTls: false, caFile: undefined });
  open.push(() => session.close());
  const names = (await Array.fromAsync(session.entries('', '(objectClass=*)', ['cn']))).map(({ dn }) => dn);
  expect(names).toEqual(['uid=a', 'uid=b']);
});

test('says which file with certificates cannot be read', () => {
  const settings = { url: 'ldaps://localhost', bindDn: '', bindPassword: '', startTls: false };
  expect(() => new Session({ ...settings, caFile: '/no/such/ca.pem' })).toThrow(
    'the caFile /no/such/ca.pem cannot be read',
  );
});

test.each([
  ['ldap://dc1.acme.example:3268', 'port 3268', 'port 389'],
  ['ldaps://dc1.acme.example:3269/', 'port 3269', 'port 636'],
])('refuses the global catalog at %s', async (url, port, better) => {
  const settings = { url, bindDn: '', bindPassword: '', users: '', groups: '' };
  for (const server of ['auto', 'ad'])
    await expect(connectTo({ ...settings, server })).rejects.toThrow(
      `${port} is the global catalog of Active Directory, which does not show the members of most groups: use ${better} of a domain controller`,
    );
});

test('looks up too many members of groups only below the base DN of the people', () => {
  const dns = ['uid=a,ou=people,dc=acme', 'uid=b,ou=partners,dc=acme', 'UID=c, OU=People,dc=acme'];
  expect(toLookUp(dns, 'ou=people,dc=acme', 3)).toEqual(dns);
  expect(toLookUp(dns, 'ou=people,dc=acme', 2)).toEqual([dns[0], dns[2]]);
});
