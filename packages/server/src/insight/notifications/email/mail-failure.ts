import { isLoopback } from '#kit/net/addresses.ts';
import {
  causeSentence,
  type NetworkCause,
  networkCause,
} from '../../../../../protocol/src/net/network-cause.ts';
import { type Outcome, sentence } from '../outcome.ts';

/** An error of nodemailer. */
interface MailError {
  code?: string;
  timeoutType?: string;
  responseCode?: number;
  command?: string;
  response?: string;
}

/** The whole email took too long. */
export class Late extends Error {}

/**
 * Distinguishes a refused recipient or message from a mail server that takes no emails at all, and says why it does not. `url` is the
 * setting; its password appears in no reason.
 */
export function outcomeOf(error: unknown, url: URL): Outcome {
  const { code, responseCode, command, response } = error as MailError;
  const answer = response === undefined ? '' : `: ${sentence(response)}`;
  const isAboutEmail = responseCode !== undefined && responseCode !== 421 && isAfterSender(command);
  if (isAboutEmail) {
    const what = command === 'RCPT TO' ? 'recipient' : 'email';
    return { ok: false, reason: `The mail server refused the ${what}${answer}`, final: responseCode >= 500 };
  }
  if (code === 'EENVELOPE' && responseCode === undefined)
    return { ok: false, reason: 'The email address of the person is not valid.', final: true };
  return { ok: false, reason: outageReason(error, url, answer), final: false, isOutage: true };
}

/** A refusal of MAIL FROM is about the sender, and thus about all emails. */
const isAfterSender = (command: string | undefined) => command === 'RCPT TO' || command === 'DATA';

function outageReason(error: unknown, url: URL, answer: string): string {
  if (error instanceof Late) return 'The mail server took too long. Check its load and the network.';
  const { code, timeoutType, command = '', responseCode } = error as MailError;
  const says = answer.replace(/\.$/, '');
  if (code === 'EAUTH')
    return `The mail server rejected the user or the password${says}. Correct them in GATEHOUSE_SMTP_URL.`;
  if (command === 'STARTTLS' || (command === 'EHLO' && isTlsRequired(url)))
    return isTlsRequired(url)
      ? `The mail server offers no STARTTLS${says}. Gatehouse sends a password over TLS only: use smtps://, or remove the user and the password from GATEHOUSE_SMTP_URL.`
      : `The mail server offers STARTTLS, but could not start TLS${says}. Check its TLS settings${orWithoutTls(url)}.`;
  if (command === 'MAIL FROM') return senderRefusal(responseCode, says, url);
  if (timeoutType === 'GREETING_TIMEOUT')
    return `The mail server could not be reached: ${hostOf(url)} accepted the connection, but sent no greeting. If the port expects TLS, as port 465 does, use smtps://.`;
  if (answer !== '') return `The mail server refused the connection${answer}`;
  const cause = networkCause(error, hostOf(url)) ?? closedEarly(error, hostOf(url));
  if (cause === undefined) return `The mail server could not be reached (${code ?? 'unknown error'}).`;
  const start = /^the (certificate|TLS) /.test(cause.what)
    ? 'The connection to the mail server failed'
    : 'The mail server could not be reached';
  return `${start}: ${causeSentence({ ...cause, advice: adviceOn(cause, url) }, 'within')}`;
}

function senderRefusal(responseCode: number | undefined, says: string, url: URL): string {
  if (responseCode === 530 && /STARTTLS|TLS|SSL/i.test(says))
    return `The mail server takes emails over TLS only${says}. Remove ?tls=off from GATEHOUSE_SMTP_URL, or use smtps://.`;
  if (responseCode === 530 || (url.username === '' && /authenti/i.test(says)))
    return `The mail server demands a user and a password${says}. Add them to GATEHOUSE_SMTP_URL.`;
  return `The mail server refused the sender${says}. Correct GATEHOUSE_MAIL_FROM, or allow this sender on the mail server.`;
}

/** nodemailer has no code of its own for a server that hangs up. */
function closedEarly(error: unknown, host: string): NetworkCause | undefined {
  const { code } = error as MailError;
  if (code !== 'ECONNECTION' && code !== 'ETLS') return undefined;
  return networkCause({ code: 'ECONNRESET', message: '' }, host);
}

/** Settings that mail has in place of those of HTTP. */
function adviceOn({ kind, advice }: NetworkCause, url: URL): string {
  if (kind === 'no_tls') return 'Use smtp:// for this port, or smtps:// with a port for TLS, such as 465';
  if (kind === 'unknown_name') return 'Correct the host in GATEHOUSE_SMTP_URL, or check the name servers';
  const isCertificate = ['wrong_name', 'expired', 'not_yet_valid', 'unknown_authority'].includes(kind);
  return isCertificate ? `${advice}${orWithoutTls(url)}` : advice;
}

/** Without a password, a network that is trusted needs no TLS. */
const orWithoutTls = ({ protocol, username }: URL) =>
  protocol === 'smtp:' && username === ''
    ? ', or add ?tls=off to GATEHOUSE_SMTP_URL to send without TLS'
    : '';

/** Credentials are never sent in plain text, unless to this machine. */
export const isTlsRequired = ({ protocol, username, hostname }: URL): boolean =>
  protocol === 'smtp:' && username !== '' && !isLoopback(hostname);

/** The host and the port as people enter them. */
const hostOf = ({ hostname, protocol, port }: URL): string =>
  `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`;
