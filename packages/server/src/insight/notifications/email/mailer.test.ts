import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Certificate, makeCertificate, trust } from '#test/certificates.ts';
import { type Email, openMailer } from './mailer.ts';

const EMAIL: Email = {
  messageId: '<1@gatehouse.example>',
  to: 'ada@acme.example',
  subject: 'A test',
  text: 'A test',
  html: '<p>A test</p>',
  preferences: null,
};

let valid: Certificate;
let expired: Certificate;
let untrusted: Certificate;
let ofAnother: Certificate;
beforeAll(() => {
  valid = makeCertificate('IP:127.0.0.1,IP:127.0.0.2');
  ofAnother = makeCertificate('DNS:smtp.example.test,DNS:mail.example.test');
  expired = makeCertificate('IP:127.0.0.1', { expired: true });
  untrusted = makeCertificate('IP:127.0.0.1');
  for (const one of [valid, ofAnother, expired]) trust(one);
});

/** Starts a mail server on this machine. Returns its port. */
async function serve(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({ authOptional: true, logger: false, closeTimeout: 1, ...options });
  server.on('error', () => undefined);
  return listen(server.listen(0, '127.0.0.1', () => undefined) as Server, () =>
    server.close(() => undefined),
  );
}

async function listen(server: Server, close: () => void): Promise<number> {
  onTestFinished(close);
  if (!server.listening) await new Promise((done) => server.once('listening', done));
  return (server.address() as AddressInfo).port;
}

const plain: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] };

async function sendTo(url: string, from = 'gatehouse@acme.example') {
  const mailer = openMailer({ url, from }, 1000);
  onTestFinished(() => mailer.close());
  const outcome = await mailer.send(EMAIL);
  return outcome.ok ? 'sent' : outcome.reason;
}

test('sends over TLS, over STARTTLS, and without TLS', async () => {
  const [overTls, startTls, without] = [
    await serve({ secure: true, ...valid }),
    await serve({ ...valid, disabledCommands: ['AUTH'] }),
    await serve(plain),
  ];

  expect(await sendTo(`smtps://127.0.0.1:${overTls}`)).toBe('sent');
  expect(await sendTo(`smtp://127.0.0.1:${startTls}`)).toBe('sent');
  expect(await sendTo(`smtp://127.0.0.1:${without}`)).toBe('sent');
});

test('names what is wrong with the certificate, with TLS and with STARTTLS', async () => {
  const cases = [
    [
      () => ofAnother,
      'was issued for another name (smtp.example.test, mail.example.test). Use a name of the certificate',
    ],
    [() => expired, 'has expired. Install a new one on the server'],
    [() => untrusted, 'is not signed by a trusted authority: it is self-signed. Install one'],
  ] as const;
  for (const [certificate, words] of cases) {
    const overTls = await serve({ secure: true, ...certificate() });
    const startTls = await serve({ ...certificate(), disabledCommands: ['AUTH'] });
    const expected = `The connection to the mail server failed: the certificate of 127.0.0.1 ${words}`;

    expect(await sendTo(`smtps://127.0.0.1:${overTls}`)).toContain(expected);
    const reason = await sendTo(`smtp://127.0.0.1:${startTls}`);
    expect(reason).toContain(expected);
    expect(reason).toContain('or add ?tls=off to GATEHOUSE_SMTP_URL to send without TLS.');
  }
});

test('sends without TLS to a server with a wrong certificate if TLS is off', async () => {
  const port = await serve({ ...expired, disabledCommands: ['AUTH'] });

  expect(await sendTo(`smtp://127.0.0.1:${port}?tls=off`)).toBe('sent');
});

test('says that the port does not use TLS', async () => {
  const port = await serve(plain);

  expect(await sendTo(`smtps://127.0.0.1:${port}`)).toBe(
    `The mail server could not be reached: 127.0.0.1:${port} does not use TLS on this port. Use smtp:// for this port, or smtps:// with a port for TLS, such as 465.`,
  );
});

test('says that the port may expect TLS', async () => {
  const port = await serve({ secure: true, ...valid });

  expect(await sendTo(`smtp://127.0.0.1:${port}`)).toContain(
    'accepted the connection, but sent no greeting. If the port expects TLS, as port 465 does, use smtps://.',
  );
});

test('says that nothing listens, that a name does not exist, and that a server hangs up', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  const port = await listen(gone, () => undefined);
  await new Promise((done) => gone.close(done));
  const hangsUp = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  const hangingUp = await listen(hangsUp, () => hangsUp.close());

  expect(await sendTo(`smtp://127.0.0.1:${port}`)).toBe(
    `The mail server could not be reached: 127.0.0.1:${port} refused the connection. Check the port, and whether the service is running.`,
  );
  expect(await sendTo('smtp://mail.invalid')).toBe(
    'The mail server could not be reached: the name mail.invalid could not be resolved. Correct the host in GATEHOUSE_SMTP_URL, or check the name servers.',
  );
  expect(await sendTo(`smtp://127.0.0.1:${hangingUp}`)).toContain(
    `127.0.0.1:${hangingUp} closed the connection without a reply.`,
  );
});

test('says that the password is wrong, and does not repeat it', async () => {
  const port = await serve({
    secure: true,
    ...valid,
    onAuth: (_, __, done) => done(new Error('5.7.8 Authentication failed')),
  });

  const reason = await sendTo(`smtps://ada:s3cret-word@127.0.0.1:${port}`);

  expect(reason).toMatch(
    /^The mail server rejected the user or the password: 535 .*failed\. Correct them in GATEHOUSE_SMTP_URL\.$/,
  );
  expect(reason).not.toContain('s3cret-word');
});

test('sends no password to another machine without TLS, and says so', async () => {
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], logger: false, closeTimeout: 1 });
  const port = await listen(server.listen(0, '127.0.0.2', () => undefined) as Server, () =>
    server.close(() => undefined),
  );

  // Not one of the names of this machine, whose connections nobody else can read.
  expect(await sendTo(`smtp://ada:s3cret-word@127.0.0.2:${port}`)).toMatch(
    /^The mail server offers no STARTTLS: .*Gatehouse sends a password over TLS only: use smtps:\/\//,
  );
});

test('says that the server demands a password, or refuses the sender or the recipient', async () => {
  const demanding = await serve({ secure: true, ...valid, authOptional: false });
  const picky = await serve({
    ...plain,
    onMailFrom: ({ address }, _, done) =>
      done(
        address.startsWith('nobody') ? Object.assign(new Error('Not yours'), { responseCode: 553 }) : null,
      ),
    onRcptTo: (_, __, done) => done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })),
  });

  expect(await sendTo(`smtps://127.0.0.1:${demanding}`)).toMatch(
    /^The mail server demands a user and a password: 530 .*\. Add them to GATEHOUSE_SMTP_URL\.$/,
  );
  expect(await sendTo(`smtp://127.0.0.1:${picky}`, 'nobody@acme.example')).toBe(
    'The mail server refused the sender: 553 Not yours. Correct GATEHOUSE_MAIL_FROM, or allow this sender on the mail server.',
  );
  expect(await sendTo(`smtp://127.0.0.1:${picky}`)).toBe(
    'The mail server refused the recipient: 550 No such mailbox',
  );
});
