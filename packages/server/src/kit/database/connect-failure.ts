import { StartError } from '../errors.ts';

/** The place to which a connection should lead. `setting` has its address. */
export interface Target {
  setting: string;
  host: string;
  port: number;
  user: string;
  database: string;
}

type Sentence = (to: Target, message: string) => string;

const at = ({ host, port }: Target) => (host.startsWith('/') ? `socket in ${host}` : `${host}:${port}`);

const certificate =
  (problem: string): Sentence =>
  (to) =>
    `The certificate of the database server at ${at(to)} ${problem} For a private authority, set NODE_EXTRA_CA_CERTS to its certificate.`;

const refused: Sentence = (to, message) =>
  `The database server at ${at(to)} refuses the connection: ${message}. Permit it in pg_hba.conf, or correct ${to.setting}: a server that requires TLS needs sslmode=verify-full.`;

const notFound: Sentence = (to) =>
  `The host name ${to.host} does not resolve. Correct it in ${to.setting}, or check the name servers.`;

const unreachable: Sentence = (to) =>
  `The database server at ${at(to)} cannot be reached. Check ${to.setting}, the network and its firewalls.`;

const noAnswer: Sentence = (to) =>
  `The server at ${at(to)} ended the connection without an answer. Check that a PostgreSQL listens there, and its log.`;

/** By the code of a failed connection: of PostgreSQL, of the system, or of TLS. */
const SENTENCES: Record<string, Sentence> = {
  '28P01': (to) =>
    `The database server at ${at(to)} does not accept the role ${to.user} with this password. Correct both in ${to.setting}.`,
  '28000': refused,
  '3D000': (to) =>
    `The database ${to.database} does not exist at ${at(to)}. Create it, or correct ${to.setting}.`,
  '42501': (to, message) =>
    `The database server at ${at(to)} refuses the connection: ${message}. Run: grant connect on database "${to.database}" to "${to.user}";`,
  '53300': (to) =>
    `The database server at ${at(to)} has no free connection. Raise max_connections or the limit of the role or database, or stop other clients. A node uses up to 19 connections.`,
  '55000': (to, message) =>
    `The database server at ${at(to)} refuses the connection: ${message}. Run: alter database "${to.database}" allow_connections true;`,
  '57P03': (to, message) =>
    `The database server at ${at(to)} accepts no connections now: ${message}. Wait until it is ready, then start Gatehouse again.`,
  '08P01': (to, message) =>
    `The pooler or server at ${at(to)} refuses the connection: ${message}. Check its settings and ${to.setting}.`,
  ECONNREFUSED: (to) =>
    `Nothing accepts connections at ${at(to)}. Start the database, or correct ${to.setting}.`,
  ENOENT: (to) => `The ${at(to)} does not exist. Start the database, or correct ${to.setting}.`,
  EACCES: (to) =>
    `The user that runs Gatehouse may not use the ${at(to)}. Give it the permission, or correct ${to.setting}.`,
  ECONNRESET: noAnswer,
  EPIPE: noAnswer,
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  CERT_HAS_EXPIRED: certificate('has expired. Renew it.'),
  CERT_NOT_YET_VALID: certificate('is not valid yet. Check the clocks.'),
  ERR_TLS_CERT_ALTNAME_INVALID: certificate('is for another host name. Use the name of the certificate.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate('is signed by itself.'),
  SELF_SIGNED_CERT_IN_CHAIN: certificate('is from an unknown authority.'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate('is from an unknown authority.'),
  UNABLE_TO_GET_ISSUER_CERT: certificate('is from an unknown authority.'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate('is from an unknown authority.'),
};

/** The driver gives these failures no code. */
const BY_MESSAGE: [RegExp, Sentence][] = [
  [
    /does not support SSL/,
    (to) =>
      `The database server at ${at(to)} offers no TLS. Turn it on there, or remove sslmode from ${to.setting}.`,
  ],
  [
    /client password must be/,
    (to) => `The database server at ${at(to)} asks for a password. Add it to ${to.setting}.`,
  ],
  [
    /timeout expired|due to connection timeout/,
    (to) =>
      `The server at ${at(to)} did not respond in time. Check ${to.setting}, the network and its firewalls.`,
  ],
  [/terminated unexpectedly/, noAnswer],
];

/** Returns the reason why a connection could not be made, with a next step. */
export function connectFailure(error: unknown, to: Target): StartError {
  if (error instanceof StartError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const sentence =
    code in SENTENCES ? SENTENCES[code] : BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
  const text =
    sentence?.(to, message) ??
    `The connection to the database at ${at(to)} failed: ${message}. Check ${to.setting} and the log of the server.`;
  return new StartError(text, { cause: error });
}
