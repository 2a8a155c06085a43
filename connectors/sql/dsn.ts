import { Exit, Failure } from '@gatehouse/connector';
import { fill, type Path } from '@gatehouse/connector/declarative';
import type { Definition } from './definition.ts';

export type Engine = 'postgres' | 'mysql' | 'sqlite' | 'sqlserver' | 'oracle';

/** Where a database is and who connects. */
export type Target = {
  engine: Engine;
  host: string;
  port: number | undefined;
  user: string;
  password: string;
  database: string;
  params: URLSearchParams;
};

const ENGINES: Record<string, Engine> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  sqlserver: 'sqlserver',
  mssql: 'sqlserver',
  oracle: 'oracle',
};

export const schemeOf = ({ dsn, scheme }: Definition['connect']): string =>
  String(scheme || /^([a-z0-9+]+):/i.exec(dsn ?? '')?.[1] || '').toLowerCase();

/** Returns the engine that a definition names, or undefined. */
export const engineOf = (connect: Definition['connect']): Engine | undefined => ENGINES[schemeOf(connect)];

/** Returns where to connect, with the values of the placeholders. They are encoded, so that a password may hold any character. */
export function targetOf(connect: Definition['connect'], values: Readonly<Record<string, unknown>>): Target {
  const engine = engineOf(connect);
  if (engine === undefined)
    throw new Failure(`the engine "${schemeOf(connect)}" is not supported`, Exit.usage);
  const plain = (value: unknown) =>
    value === undefined || value === null ? '' : fill(String(value), values);
  const params = new URLSearchParams(connect.params ?? {});
  const database = plain(connect.database);
  if (engine === 'sqlite') return sqliteTarget(plain(connect.dsn), database, params);
  const dsn = connect.dsn ? fill(connect.dsn, values, encodeURIComponent) : `${schemeOf(connect)}://`;
  const { url, host, port } = parseUrl(dsn);
  for (const [name, value] of url.searchParams) if (!params.has(name)) params.set(name, value);
  const given = plain(connect.port) || port;
  return {
    engine,
    host: plain(connect.host) || host || 'localhost',
    port: given === '' ? undefined : Number(given),
    user: plain(connect.user) || decodeURIComponent(url.username),
    password: plain(connect.password) || decodeURIComponent(url.password),
    database: database || decodeURIComponent(url.pathname.slice(1)) || params.get('database') || '',
    params,
  };
}

const PASSWORD = /^(password|passwd|pwd)$/i;

/** Returns the places of a definition that should have a placeholder. */
export function placesOfSecrets({ connect }: Definition): { path: Path; text: unknown }[] {
  const { dsn, password, params } = connect;
  const [, inUrl] = /^[a-z0-9+]+:\/\/(?:\$\{[^}]*\}|(?!\$\{)[^/?:])*:([^/?]*)@/i.exec(dsn ?? '') ?? [];
  const [, inQuery] = /[?&](?:password|passwd|pwd)=([^&]*)/i.exec(dsn ?? '') ?? [];
  return [
    { path: ['connect', 'dsn'], text: inUrl },
    { path: ['connect', 'dsn'], text: inQuery },
    { path: ['connect', 'password'], text: password },
    ...Object.entries(params ?? {})
      .filter(([name]) => PASSWORD.test(name))
      .map(([name, text]) => ({ path: ['connect', 'params', name], text })),
  ];
}

function sqliteTarget(dsn: string, database: string, params: URLSearchParams): Target {
  const [path = '', query = ''] = dsn.replace(/^sqlite3?:(?:\/\/)?/i, '').split('?');
  for (const [name, value] of new URLSearchParams(query)) params.set(name, value);
  return {
    engine: 'sqlite',
    host: '',
    port: undefined,
    user: '',
    password: '',
    database: path || database,
    params,
  };
}

/** The URL standard does not take hosts apart in schemes that it does not know, so the URL is parsed as one of HTTP. */
function parseUrl(dsn: string): { url: URL; host: string; port: string } {
  const rest = dsn.replace(/^[a-z0-9+]+:/i, '');
  try {
    const url = new URL(`http:${rest === '//' ? '//unset' : rest}`);
    const host = url.hostname === 'unset' ? '' : url.hostname.replace(/^\[|\]$/g, '');
    // Port 80 is the default of HTTP, so the URL does not keep it.
    return { url, host, port: url.port || (/:80(?=[/?]|$)/.test(rest) ? '80' : '') };
  } catch {
    throw new Failure(
      'the DSN is not a valid URL; pass special characters in placeholders, or encode them',
      Exit.usage,
    );
  }
}
