/** Turns errors of names, connections and certificates into words, for whatever connects: requests, emails, connectors. */

export interface NetworkCause {
  kind: NetworkKind;
  /** The problem, without a period: `db.internal:5432 refused the connection`. */
  what: string;
  /** The next step, without a period. */
  advice: string;
}

export type NetworkKind =
  | 'unknown_name'
  | 'silent_name_server'
  | 'refused'
  | 'no_route'
  | 'timeout'
  | 'closed'
  | 'no_tls'
  | 'only_tls'
  | 'tls_version'
  | 'client_certificate'
  | 'tls'
  | 'wrong_name'
  | 'expired'
  | 'not_yet_valid'
  | 'unknown_authority'
  | 'certificate';

interface Raw {
  code?: unknown;
  /** nodemailer replaces the code of the system by its own. */
  originalCode?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  hostname?: unknown;
  host?: unknown;
  address?: unknown;
  port?: unknown;
  cert?: { subjectaltname?: unknown };
}

/** Kinds by the code of an error, followed by its message. The first that matches counts. */
const KINDS: readonly [RegExp, NetworkKind][] = [
  [/^(ENOTFOUND|ENODATA|EDNS) /, 'unknown_name'],
  [/^(EAI_AGAIN|ESERVFAIL|ETIMEOUT) /, 'silent_name_server'],
  [/^ECONNREFUSED /, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL) /, 'no_route'],
  [/before secure TLS connection was established/, 'no_tls'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number|packet length too long/i, 'no_tls'],
  [/^HPE_/, 'only_tls'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|ESOCKETTIMEDOUT) /, 'timeout'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET) /, 'closed'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID /, 'wrong_name'],
  [/^CERT_HAS_EXPIRED /, 'expired'],
  [/^CERT_NOT_YET_VALID /, 'not_yet_valid'],
  [/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|CERT_UNTRUSTED)/, 'unknown_authority'],
  [/^(CERT_|CRL_|INVALID_|ERROR_IN_CERT|UNABLE_TO_|PATH_LENGTH|HOSTNAME_MISMATCH)/, 'certificate'],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|TLSV1_ALERT_INSUFFICIENT/, 'tls_version'],
  [/CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|PEER_DID_NOT_RETURN/, 'client_certificate'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO )/, 'tls'],
];

const words = (
  host: string,
  name: string,
  raw: Raw,
): Record<NetworkKind, [what: string, advice: string]> => ({
  unknown_name: [
    `the name ${name} could not be resolved`,
    'Check its spelling, and whether the name servers of this machine have it',
  ],
  silent_name_server: [
    `the name ${name} could not be resolved: its name servers did not reply`,
    'Try again, and check the name servers of this machine',
  ],
  refused: [`${host} refused the connection`, 'Check the port, and whether the service is running'],
  no_route: [`${host} could not be reached: there is no route to it`, 'Check the network and its firewalls'],
  timeout: [
    `${host} could not be reached: it did not reply in time`,
    'Check the port, and whether a firewall drops the connection',
  ],
  closed: [
    `${host} closed the connection without a reply`,
    'Check the port, and whether a firewall ends connections',
  ],
  no_tls: [
    `${host} does not use TLS on this port`,
    'Check the port, and whether the address must begin with another scheme',
  ],
  only_tls: [
    `${host} did not reply with HTTP`,
    'Check the port, and whether the address must begin with https://',
  ],
  tls_version: [`${host} offers no TLS version that is allowed here`, 'Turn on TLS 1.2 or 1.3 on the server'],
  client_certificate: [
    `${host} demands a client certificate`,
    'Allow connections without one, or use another address',
  ],
  tls: [
    `the TLS connection to ${host} failed (${String(raw.originalCode ?? raw.code)})`,
    'Check the TLS settings of the server',
  ],
  wrong_name: [
    `the certificate of ${name} was issued for another name${namesIn(raw)}`,
    'Use a name of the certificate in the address, or install a certificate for this name',
  ],
  expired: [`the certificate of ${name} has expired`, 'Install a new one on the server'],
  not_yet_valid: [`the certificate of ${name} is not valid yet`, 'Check the clocks of both machines'],
  unknown_authority: [
    `the certificate of ${name} is not signed by a trusted authority${
      /DEPTH_ZERO/.test(codeOf(raw)) ? ': it is self-signed' : ''
    }`,
    'Install one with its intermediate certificates, or set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority and start again',
  ],
  certificate: [
    `the certificate of ${name} is not acceptable (${codeOf(raw)})`,
    'Install another one on the server',
  ],
});

const codeOf = ({ code, originalCode }: Raw): string => {
  const known = originalCode ?? code;
  return typeof known === 'string' ? known : '';
};

const LONGEST_NAMES = 200;

/** Returns the names in the certificate of an error, such as ` (a.example, b.example)`. */
function namesIn({ cert }: Raw): string {
  const names = cert?.subjectaltname;
  if (typeof names !== 'string' || names === '') return '';
  const list = names.replace(/DNS:|IP Address:/g, '').replace(/[^\p{L}\p{N}.,*:_ -]/gu, '');
  return ` (${list.length > LONGEST_NAMES ? `${list.slice(0, LONGEST_NAMES)}…` : list})`;
}

/** Returns what an error says about where it happened. */
function hostIn({ hostname, host, address, port }: Raw): string | undefined {
  const named = [hostname, host, address].find((one) => typeof one === 'string' && one !== '');
  if (typeof named !== 'string') return undefined;
  return typeof port === 'number' ? `${named.includes(':') ? `[${named}]` : named}:${port}` : named;
}

/** Returns the cause that this error itself has, without those behind it. */
function ownCause(error: unknown, host?: string): NetworkCause | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const raw = error as Raw;
  const code = codeOf(raw);
  const message = typeof raw.message === 'string' ? raw.message : '';
  const [, kind] = code === '' ? [] : (KINDS.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? []);
  if (kind === undefined) return undefined;
  const shown = host ?? hostIn(raw) ?? 'the server';
  const [what, advice] = words(shown, shown.replace(/:\d+$/, ''), raw)[kind];
  return { kind, what, advice };
}

/**
 * Returns why the network or TLS failed, from the error or those behind it, or undefined for any other error. `host` is how the text
 * names the other side. By default, it is what the error says.
 */
export function networkCause(
  error: unknown,
  host?: string,
  { isDeep = true } = {},
): NetworkCause | undefined {
  const own = ownCause(error, host);
  if (own !== undefined || !isDeep || typeof error !== 'object' || error === null) return own;
  const { cause, errors } = error as Raw;
  for (const behind of [cause, ...(Array.isArray(errors) ? errors : [])]) {
    const found = networkCause(behind, host);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a cause as two sentences, the first of which may be the rest of one. */
export const causeSentence = ({ what, advice }: NetworkCause, place?: 'within'): string => {
  const start = what.startsWith('the ') && place === undefined ? `T${what.slice(1)}` : what;
  return `${start}. ${advice}.`;
};
