import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Failure } from '@gatehouse/connector';
import {
  type Attribute,
  type Change,
  Client,
  Control,
  type Entry,
  type Filter,
  InvalidDNSyntaxError,
  ResultCodeError,
} from 'ldapts';
import { nameOf } from './dn.ts';
import { asFailure, DirectoryFailure } from './errors.ts';
import { MissingBelow, repairResponses } from './responses.ts';

export type ConnectionSettings = {
  url: string;
  bindDn: string;
  bindPassword: string;
  startTls: boolean;
  caFile: string | undefined;
  ca?: string | undefined;
};

const rangeSize = 1500;
const insufficientAccessRights = 50;
const referral = 10;
/** These also for noSuchObject and invalidDNSyntax. */
const unseen = new Set([referral, 32, 34, insufficientAccessRights]);
/** ManageDsaIT (RFC 3296). Servers that compute members return only those that are stored. */
export const storedOnly = new Control('2.16.840.1.113730.3.4.2');
const buffers = ['objectGUID', 'objectSid'];

export const first = (value: Entry[string] | undefined): string | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return one === undefined || one.length === 0 ? undefined : String(one);
};
export const all = (value: Entry[string] | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
/** The values of an attribute in an order that does not depend on the server, which may return them in any. */
export const sorted = (value: Entry[string] | undefined): string[] =>
  [...new Set(all(value))].filter((each) => each.trim() !== '').sort();
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
    repairResponses(client);
    return client;
  }

  /** ldapts does not notice that a connection with StartTLS has ended. */
  get #isOpen(): boolean {
    return this.#client.isConnected && !this.#sockets.some(({ destroyed }) => destroyed);
  }

  /** The DN with which the connector signs in, as equal DNs have it in common. */
  get bindName(): string {
    return nameOf(this.#settings.bindDn);
  }

  /** Returns the name to sign in with, from the settings: a DN, or another name that Active Directory knows. */
  get bindText(): string {
    return this.#settings.bindDn;
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

  /**
   * Yields the entries below a base DN in pages (RFC 2696). A plain search may be truncated. Follows no referrals, and calls `referred`
   * with each of them.
   */
  async *entries(
    base: string,
    filter: Filter | string,
    attributes: string[],
    referred: (url: string) => void = () => {},
  ): AsyncGenerator<Entry> {
    const client = await this.ready();
    const explicitBufferAttributes = buffers.filter((name) => attributes.includes(name));
    const options = { filter, attributes, explicitBufferAttributes, paged: { pageSize: 500 } };
    try {
      for await (const page of client.searchPaginated(base, { ...options, scope: 'sub' })) {
        for (const url of page.searchReferences) referred(url);
        yield* page.searchEntries
          .filter((entry) => !isGone(entry))
          .map((entry) => spelledAs(attributes, entry));
      }
    } catch (error) {
      throw asFailure(error, this.#settings.url);
    }
  }

  async find(base: string, filter: Filter | string, attributes: string[]): Promise<Entry | undefined> {
    for await (const entry of this.entries(base, filter, attributes)) return entry;
    return undefined;
  }

  /** Reads one entry by its DN, or the root DSE if the DN is empty. */
  async read(dn: string, attributes: string[], controls: Control[] = []): Promise<Entry | undefined> {
    const client = await this.ready();
    try {
      const [entry] = (await client.search(dn, { scope: 'base', attributes }, controls)).searchEntries;
      return entry && spelledAs(attributes, entry);
    } catch (error) {
      throw asFailure(error, this.#settings.url);
    }
  }

  /** Reads one entry by its DN. Returns undefined for one that the server does not show, has elsewhere or does not select. */
  async lookUp(dn: string, filter: string, attributes: string[]): Promise<Entry | undefined> {
    const client = await this.ready();
    try {
      const [entry] = (await client.search(dn, { scope: 'base', filter, attributes })).searchEntries;
      return entry && !isGone(entry) ? spelledAs(attributes, entry) : undefined;
    } catch (error) {
      if (error instanceof ResultCodeError && unseen.has(error.code)) return undefined;
      throw asFailure(error, this.#settings.url);
    }
  }

  /** Returns where an entry is. A server that hides an entry, or its parent, does not name an entry above it. */
  async presenceOf(dn: string): Promise<'shown' | 'hidden' | 'missing' | 'elsewhere'> {
    const client = await this.ready();
    try {
      const { searchEntries } = await client.search(dn, { scope: 'base', attributes: ['objectClass'] });
      return searchEntries.length > 0 ? 'shown' : 'hidden';
    } catch (error) {
      if (error instanceof MissingBelow || error instanceof InvalidDNSyntaxError) return 'missing';
      if (!(error instanceof ResultCodeError && unseen.has(error.code)))
        throw asFailure(error, this.#settings.url);
      return error.code === referral ? 'elsewhere' : 'hidden';
    }
  }

  /** Whether the server lets the bind DN compare an attribute, whatever the result. */
  async mayCompare(dn: string, attribute: string, value: string): Promise<boolean> {
    const client = await this.ready();
    try {
      await client.compare(dn, attribute, value);
      return true;
    } catch (error) {
      if (error instanceof ResultCodeError) return error.code !== insufficientAccessRights;
      throw asFailure(error, this.#settings.url);
    }
  }

  /** Reads the entries below a DN. Returns none for one that the server does not show or has elsewhere. */
  async lookThrough(base: string, filter: string, attributes: string[]): Promise<Entry[]> {
    try {
      return await Array.fromAsync(this.entries(base, filter, attributes));
    } catch (error) {
      if (error instanceof DirectoryFailure && unseen.has(error.refused?.code ?? 0)) return [];
      throw error;
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

/** Names the attributes of an entry as they were requested. A server may spell them in another case. */
function spelledAs(attributes: string[], entry: Entry): Entry {
  for (const name of attributes) {
    if (name in entry) continue;
    const other = Object.keys(entry).find((key) => key.toLowerCase() === name.toLowerCase());
    if (other !== undefined) entry[name] = entry[other] ?? [];
  }
  return entry;
}

/**
 * Tombstones and replication conflicts of 389 Directory Server; the people whom FreeIPA has deleted or not yet activated, and
 * its copies of people and groups for old clients.
 */
const notInUse =
  /^([^,]*\+)?nsuniqueid=|(^|,)(cn=(deleted|staged)%20users,cn=accounts,cn=provisioning|cn=(users|groups),cn=compat)(,|$)/;

/** True for entries that are neither accounts nor groups, such as deleted objects of Active Directory. */
const isGone = (entry: Entry): boolean =>
  first(entry.isDeleted)?.toUpperCase() === 'TRUE' || notInUse.test(nameOf(entry.dn));

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`the caFile ${file} cannot be read`, undefined, { cause: error });
  }
}
