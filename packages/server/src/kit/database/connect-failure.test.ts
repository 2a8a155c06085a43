import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCli } from '#test/cli.ts';
import { createTestDatabase } from '#test/database.ts';
import { selfSigned } from '#test/saml.ts';
import { freePort } from '../../../../connector/src/conformance/port.ts';
import { openDatabase } from './open.ts';

/** Listens on a free port, and returns the address of a database there. */
async function listen(serve: (socket: Socket) => void, query = ''): Promise<string> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `postgres://gatehouse:secret@127.0.0.1:${(server.address() as AddressInfo).port}/gatehouse${query}`;
}

/** Starts TLS when the client asks for it, as PostgreSQL does. */
function secure(socket: Socket, notAfter?: Date) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const cert = selfSigned(publicKey, privateKey, notAfter);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  socket.once('data', () => {
    socket.write('S');
    new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => socket.destroy());
  });
  socket.on('error', () => {});
}

describe('a database that cannot be reached', () => {
  test.each([
    [
      'nothing listens',
      async () => `postgres://gatehouse:secret@127.0.0.1:${await freePort()}/gatehouse`,
      /^Nothing accepts connections at 127\.0\.0\.1:\d+\. Start the database, or correct DATABASE_URL\.$/,
    ],
    [
      'the host name is unknown',
      async () => 'postgres://gatehouse:secret@database.invalid/gatehouse',
      /^The host name database\.invalid does not resolve\. Correct it in DATABASE_URL/,
    ],
    [
      'another program listens',
      () => listen((socket) => socket.destroy()),
      /ended the connection without an answer/,
    ],
    [
      'the server offers no TLS',
      () => listen((socket) => socket.once('data', () => socket.end('N')), '?sslmode=verify-full'),
      /offers no TLS\. Turn it on there, or remove sslmode from DATABASE_URL\.$/,
    ],
    [
      'its certificate is signed by itself',
      () => listen((socket) => secure(socket), '?sslmode=verify-full'),
      /^The certificate of the database server at 127\.0\.0\.1:\d+ is signed by itself\. .*NODE_EXTRA_CA_CERTS/,
    ],
    [
      'the password has a character that is not encoded',
      async () => 'postgres://gatehouse:pass#word@127.0.0.1:5432/gatehouse',
      /^DATABASE_URL is not a valid address\. Encode special characters .* %23 for #\.$/,
    ],
    [
      'the file of the authority is missing',
      async () => 'postgres://gatehouse:secret@127.0.0.1:5432/gatehouse?sslrootcert=/nowhere/ca.pem',
      /^DATABASE_URL is not valid: the file \/nowhere\/ca\.pem cannot be read\./,
    ],
    [
      'its socket is missing',
      async () => 'postgres://gatehouse:secret@%2Fnowhere/gatehouse',
      /^The socket in \/nowhere does not exist\. Start the database/,
    ],
  ])('%s', async (_, urlOf, sentence) => {
    const url = await urlOf();

    const failure = await openDatabase({ url }).then(
      () => '',
      ({ message }: Error) => message,
    );

    expect(failure).toMatch(sentence);
    expect(failure).not.toMatch(/secret|pass#?word@/);
    expect(await runCli({ url }, ['organizations', 'list'])).toMatchObject({
      code: 1,
      stderr: `${failure}\n`,
    });
  });
});

describe.runIf(inject('prepared').engine === 'postgres')('a database that refuses the connection', () => {
  const role = `refused_${crypto.randomUUID().slice(0, 8)}`;
  let admin: pg.Client;
  let address: URL;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const created = await createTestDatabase();
    remove = created.remove;
    address = new URL(created.options.url as string);
    admin = new pg.Client({ connectionString: address.href });
    await admin.connect();
    await admin.query(`create role ${role} password 'secret'`);
    address.username = role;
    address.password = 'secret';
  });
  afterAll(async () => {
    await admin.query(`drop role ${role}`);
    await admin.end();
    await remove();
  });

  test.each<[string, string, string, (url: URL) => void, RegExp]>([
    [
      'password',
      'login',
      'nologin',
      (url) => Object.assign(url, { password: 'wrong' }),
      /does not accept the role refused_/,
    ],
    [
      'role',
      'login',
      'nologin',
      (url) => Object.assign(url, { username: 'nobody' }),
      /does not accept the role nobody/,
    ],
    ['login', 'nologin', 'nologin', () => {}, /refuses the connection: .*not permitted to log in/],
    [
      'database',
      'login',
      'nologin',
      (url) => Object.assign(url, { pathname: 'nowhere' }),
      /^The database nowhere does not exist at /,
    ],
    [
      'number of connections',
      'login connection limit 0',
      'nologin connection limit -1',
      () => {},
      /has no free connection\. Raise max_connections/,
    ],
  ])('because of its %s', async (_, before, after, change, sentence) => {
    await admin.query(`alter role ${role} ${before}`);
    onTestFinished(async () => {
      await admin.query(`alter role ${role} ${after}`);
    });
    const url = new URL(address);
    change(url);

    const failure = await openDatabase({ url: url.href }).catch(({ message }: Error) => message);

    expect(failure).toMatch(sentence);
  });

  test('because the role may not connect to this database', async () => {
    const name = address.pathname.slice(1);
    await admin.query(`alter role ${role} login; revoke connect on database ${name} from public`);
    onTestFinished(async () => {
      await admin.query(`alter role ${role} nologin`);
    });

    await expect(openDatabase({ url: address.href })).rejects.toThrow(
      `grant connect on database "${name}" to "${role}";`,
    );
  });

  test('because the role may not create tables', async () => {
    const name = `owned_${crypto.randomUUID().slice(0, 8)}`;
    await admin.query(`create database ${name} template template0`);
    await admin.query(`alter role ${role} login`);
    onTestFinished(async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`alter role ${role} nologin`);
    });
    const url = new URL(address);
    url.pathname = name;

    expect(await runCli({ url: url.href }, ['organizations', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The database refused to go on: permission denied for .*grant create on/,
      ),
    });
  });
});
