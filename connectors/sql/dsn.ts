import { Exit, Failure } from '@gatehouse/connector';
import { fill } from '@gatehouse/connector/declarative';
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
  if (engine === 'sqlite') {
    const [path = '', query = ''] = plain(connect.dsn)
      .replace(/^sqlite3?:(\/\/(?=\/|[^/]))?/i, '')
      .split('?');
    for (const [name, value] of new URLSearchParams(query)) params.set(name, value);
    return {
      engine,
      host: '',
      port: undefined,
      user: '',
      password: '',
      database: path || plain(connect.database),
      params,
    };
  }
  const dsn = connect.dsn ? fill(connect.dsn, values, encodeURIComponent) : `${schemeOf(connect)}://`;
  const rest = dsn.replace(/^[a-z0-9+]+:/i, '');
  let url: URL;
  try {
    // The URL standard does not take hosts apart in schemes that it does not know.
    url = new URL(`http:${rest === '//' ? '//unset' : rest}`);
  } catch {
    throw new Failure(
      'the DSN is not a valid URL; pass special characters in placeholders, or encode them',
      Exit.usage,
    );
  }
  for (const [name, value] of url.searchParams) if (!params.has(name)) params.set(name, value);
  const host = plain(connect.host) || (url.hostname === 'unset' ? '' : url.hostname.replace(/^\[|\]$/g, ''));
  const port = plain(connect.port) || url.port || (rest.match(/:80(?=[/?]|$)/) ? '80' : '');
  return {
    engine,
    host: host || 'localhost',
    port: port === '' ? undefined : Number(port),
    user: plain(connect.user) || decodeURIComponent(url.username),
    password: plain(connect.password) || decodeURIComponent(url.password),
    database:
      plain(connect.database) ||
      decodeURIComponent(url.pathname.replace(/^\//, '')) ||
      params.get('database') ||
      '',
    params,
  };
}
