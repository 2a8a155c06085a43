import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Failure } from '@gatehouse/connector';
import {
  type Attribute,
  type Change,
  Client,
  type Entry,
  type Filter,
  PagedResultsControl,
  ResultCodeError,
  SearchReference,
  SearchResponse,
} from 'ldapts';
import { asFailure } from './errors.ts';

export type ConnectionSettings = {
  url: string;
  bindDn: string;
  bindPassword: string;
  startTls: boolean;
  caFile: string | undefined;
  ca?: string | undefined;
};

const rangeSize = 1500;
/** referral, noSuchObject, invalidDNSyntax and insufficientAccessRights */
const unseen = new Set([10, 32, 34, 50]);
const buffers = ['objectGUID', 'objectSid'];

export const first = (value: Entry[string] | undefined): string | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return one === undefined || one.length === 0 ? undefined : String(one);
};
export const all = (value: Entry[string] | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
export const bytes = (value: Entry[string] | undefined): Buffer | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return Buffer.isBuffer(one) ? one : undefined;
};

/** A connection that is encrypted and bound before any operation, also after the server has closed it. */
export class Session {
  readonly secure: boolean;
  #client: Client;
  /** The sockets of the connection: with StartTLS, the plain one and the encrypted one. */
  #sockets: Socket[] = [];
  readonly #settings: ConnectionSettings;
  readonly #tls: ConnectionOptions;
  #opening: Promise<void> | undefined;

  constructor(settings: ConnectionSettings) {
    const { url, startTls, caFile, ca } = settings;
    this.#settings = settings;
    this.secure = startTls || url.startsWith('ldaps:');
    // Over StartTLS, the certificate is compared with `host`; Node would compare it with "localhost" otherwise.
    this.#tls = {
      host: new URL(url).hostname.replace(/^\[|\]$/g, ''),
      ...(caFile ? { ca: readCertificates(caFile) } : ca ? { ca } : {}),
    };
    this.#client = this.#newClient();
  }

  #newClient(): Client {
    const { url } = this.#settings;
    const keep = <T extends Socket>(socket: T): T => {
      this.#sockets.push(socket);
      return socket;
    };
    const createConnection = ((...options: Parameters<typeof connectPlain>) =>
      keep(connectPlain(...options))) as typeof connectPlain;
    const createSecureConnection = ((...options: Parameters<typeof connectTls>) =>
      keep(connectTls(...options))) as typeof connectTls;
    const client = new Client({
      url,
      timeout: 60_000,
      connectTimeout: 10_000,
      // With these options, ldapts encrypts an ldap:// connection from its start.
      ...(url.startsWith('ldaps:') ? { tlsOptions: this.#tls } : {}),
      createConnection,
      createSecureConnection,
    });
    continueAfterEmptyPages(client);
    return client;
  }

  /** ldapts does not notice that a connection with StartTLS has ended. */
  get #isOpen(): boolean {
    return this.#client.isConnected && !this.#sockets.some(({ destroyed }) => destroyed);
  }

  /** Connects. ldapts would reconnect without TLS and without a bind, so this runs before every operation. */
  async ready(): Promise<Client> {
    await this.#opening;
    if (this.#isOpen) return this.#client;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
    return this.#client;
  }

  async #open(): Promise<void> {
    const { url, bindDn, bindPassword, startTls } = this.#settings;
    this.#destroy();
    this.#client = this.#newClient();
    try {
      if (startTls) await this.#client.startTLS({ ...this.#tls });
      await this.#client.bind(bindDn, bindPassword);
    } catch (error) {
      this.#destroy();
      throw asFailure(error, url);
    }
  }

  /** Yields the entries below a base DN in pages (RFC 2696). A plain search may be truncated. Ignores referrals. */
  async *entries(base: string, filter: Filter | string, attributes: string[]): AsyncGenerator<Entry> {
    const client = await this.ready();
    const explicitBufferAttributes = buffers.filter((name) => attributes.includes(name));
    const options = { filter, attributes, explicitBufferAttributes, paged: { pageSize: 500 } };
    try {
      for await (const page of client.searchPaginated(base, { ...options, scope: 'sub' }))
        yield* page.searchEntries.filter((entry) => !isDeleted(entry));
    } catch (error) {
      throw asFailure(error, this.#settings.url);
    }
  }

  async find(base: string, filter: Filter | string, attributes: string[]): Promise<Entry | undefined> {
    for await (const entry of this.entries(base, filter, attributes)) return entry;
    return undefined;
  }

  /** Reads one entry by its DN, or the root DSE if the DN is empty. */
  async read(dn: string, attributes: string[]): Promise<Entry | undefined> {
    const client = await this.ready();
    try {
      return (await client.search(dn, { scope: 'base', attributes })).searchEntries[0];
    } catch (error) {
      throw asFailure(error, this.#settings.url);
    }
  }

  /** Reads one entry by its DN. Returns undefined for one that the server does not show, has elsewhere or does not select. */
  async lookUp(dn: string, filter: string, attributes: string[]): Promise<Entry | undefined> {
    const client = await this.ready();
    try {
      return (await client.search(dn, { scope: 'base', filter, attributes })).searchEntries[0];
    } catch (error) {
      if (error instanceof ResultCodeError && unseen.has(error.code)) return undefined;
      throw asFailure(error, this.#settings.url);
    }
  }

  /**
   * Returns every value of an attribute that was requested with `rangeOf`. Active Directory returns at most 1,500 values of an
   * attribute, and the range in its name (MS-ADTS 3.1.1.3.1.3.3).
   */
  async values(entry: Entry, attribute: string): Promise<string[]> {
    const values = all(entry[attribute]);
    for (let part: Entry = entry; ; ) {
      const name = Object.keys(part).find((key) => key.toLowerCase().startsWith(`${attribute};range=`));
      if (name === undefined) return values;
      values.push(...all(part[name]));
      const end = /-(\d+)$/.exec(name)?.[1];
      if (end === undefined || all(part[name]).length === 0) return values;
      const next = await this.read(entry.dn, [rangeOf(attribute, Number(end) + 1)]);
      if (!next) throw new Failure(`${entry.dn} disappeared while it was read`);
      part = next;
    }
  }

  async add(dn: string, attributes: Attribute[]): Promise<void> {
    await (await this.ready()).add(dn, attributes);
  }

  async modify(dn: string, changes: Change | Change[]): Promise<void> {
    await (await this.ready()).modify(dn, changes);
  }

  async del(dn: string): Promise<void> {
    await (await this.ready()).del(dn);
  }

  async exop(oid: string, value: Buffer): Promise<void> {
    await (await this.ready()).exop(oid, value);
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.#client.unbind();
    this.#destroy();
  }

  #destroy(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }
}

export const rangeOf = (attribute: string, from = 0): string =>
  `${attribute};range=${from}-${from + rangeSize - 1}`;

/** True for deleted objects of Active Directory and for tombstones and replication conflicts of 389 Directory Server. */
const isDeleted = (entry: Entry): boolean =>
  /^nsuniqueid=/i.test(entry.dn) || first(entry.isDeleted)?.toUpperCase() === 'TRUE';

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`the caFile ${file} cannot be read`, undefined, { cause: error });
  }
}

/**
 * ldapts ends a paged search after a page without entries, but the list ends only when the cookie is empty (RFC 2696). An
 * ignored, empty reference on such a page makes ldapts go on.
 */
function continueAfterEmptyPages(client: Client): void {
  const inner = client as unknown as { _send(message: unknown): Promise<unknown> };
  const send = inner._send.bind(client);
  inner._send = async (message) => {
    const response = await send(message);
    if (
      response instanceof SearchResponse &&
      response.searchEntries.length + response.searchReferences.length === 0
    ) {
      const paged = response.controls?.find((control) => control instanceof PagedResultsControl);
      if (paged?.value?.cookie?.length)
        response.searchReferences.push(new SearchReference({ messageId: response.messageId, uris: [] }));
    }
    return response;
  };
}
