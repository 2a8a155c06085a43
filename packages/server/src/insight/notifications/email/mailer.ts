import { isEmail } from '#kit/email.ts';
import type { Outcome } from '../outcome.ts';
import { isTlsRequired, Late, outcomeOf } from './mail-failure.ts';

/** Sends emails through an SMTP server. */
export interface Mailer {
  /** Never throws. */
  send(email: Email): Promise<Outcome>;
  close(): void;
}

export interface Email {
  /** Message-ID, with its angle brackets. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The page with which the recipient can turn such emails off. */
  preferences: string | null;
}

export interface MailSettings {
  /** smtp:// or smtps://, with credentials if the server needs them. `?tls=off` turns TLS off. */
  url: string;
  /** The sender, such as `Gatehouse <gatehouse@example.com>`. */
  from: string;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
/** For the whole email, so that a server that sends a byte at a time does not hold a node. */
const DEADLINE_MS = 60_000;

/** `connectMs`: how long a server may take to accept a connection and to greet. */
export function openMailer({ url, from }: MailSettings, connectMs = CONNECT_MS): Mailer {
  let transport = openTransport(url, connectMs);
  return {
    send: async ({ messageId, to, subject, text, html, preferences }) => {
      if (!isEmail(to))
        return { ok: false, reason: 'The email address of the person is not valid.', final: true };
      const sending = (await transport).sendMail({
        from,
        to: [{ name: '', address: to }],
        messageId,
        subject,
        text,
        html,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(preferences === null ? {} : { 'List-Unsubscribe': `<${preferences}>` }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await within(DEADLINE_MS, sending);
        return { ok: true };
      } catch (error) {
        if (error instanceof Late) {
          void transport.then((late) => late.close());
          transport = openTransport(url, connectMs);
        }
        const outcome = outcomeOf(error, new URL(url));
        const concernsAll = 'isOutage' in outcome && !(await isAvailable(url, connectMs));
        return concernsAll ? outcome : ofThisEmail(outcome, to);
      }
    },
    close: () => void transport.then((open) => open.close()),
  };
}

/**
 * Whether the mail server takes a new connection and our credentials. A server that closes the connection over one email, or that takes
 * too long for it, has not failed for the others.
 */
async function isAvailable(url: string, connectMs: number): Promise<boolean> {
  const transport = await openTransport(url, connectMs);
  try {
    await within(connectMs, transport.verify());
    return true;
  } catch {
    return false;
  } finally {
    transport.close();
  }
}

/** Nodemailer converts a domain beyond ASCII, but the part before the @ needs a mail server that takes it as it is (RFC 6531). */
const needsSmtpUtf8 = (address: string) => /[^\p{ASCII}].*@/u.test(address);

/** Returns the outcome of an email that failed although the mail server is there. */
function ofThisEmail(outcome: Outcome, to: string): Outcome {
  if (outcome.ok) return outcome;
  const { isOutage, ...own } = outcome;
  // A refusal for a while, such as greylisting, says nothing about the letters of the address.
  if (!needsSmtpUtf8(to) || (isOutage !== true && !own.final)) return own;
  const reason = `The email address has letters beyond ASCII before the @, and the mail server seems not to take them (SMTPUTF8). ${own.reason}`;
  return { ok: false, reason, final: true };
}

/** Loads the library only for a server with a mail server. */
async function openTransport(url: string, connectMs: number) {
  const { default: nodemailer } = await import('nodemailer');
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return nodemailer.createTransport({
    pool: true,
    maxConnections: 1,
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: isTlsRequired(new URL(url)),
    ignoreTLS: searchParams.get('tls') === 'off',
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: SILENCE_MS,
    dnsTimeout: connectMs,
  });
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
