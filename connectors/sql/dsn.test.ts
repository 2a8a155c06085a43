import { expect, test } from 'vitest';
import { targetOf } from './dsn.ts';

const of = (name: string) => `\${${name}}`;

test.each([
  [{ dsn: 'mysql://u:p%40@db:3307/app?charset=utf8mb4' }, 'mysql u p@ db 3307 app'],
  [
    { dsn: `postgres://${of('USER')}:${of('PASSWORD')}@${of('HOST')}/app` },
    'postgres a/b p@ss:w/rd?# h.example undefined app',
  ],
  [
    { dsn: `mysql://${of('HOST')}:80/app`, user: of('USER'), password: of('PASSWORD') },
    'mysql a/b p@ss:w/rd?# h.example 80 app',
  ],
  [{ dsn: 'sqlserver://sa:x@db:1433?database=app' }, 'sqlserver sa x db 1433 app'],
  [{ dsn: 'oracle://HR:x@[::1]:1521/FREEPDB1' }, 'oracle HR x ::1 1521 FREEPDB1'],
  [{ dsn: 'sqlite:/data/app.db?mode=ro' }, 'sqlite    undefined /data/app.db'],
  [{ dsn: 'sqlite:///data/app.db' }, 'sqlite    undefined /data/app.db'],
  [{ dsn: 'sqlite:app.db' }, 'sqlite    undefined app.db'],
  [
    { scheme: 'postgres', host: 'db', port: 5433, database: 'app', user: 'u', password: of('PASSWORD') },
    'postgres u p@ss:w/rd?# db 5433 app',
  ],
  [{ dsn: 'postgres://db/one', database: 'two' }, 'postgres   db undefined two'],
])('takes %j apart', (connect, expected) => {
  const values = { USER: 'a/b', PASSWORD: 'p@ss:w/rd?#', HOST: 'h.example' };
  const { engine, user, password, host, port, database } = targetOf(connect, values);
  expect([engine, user, password, host, port, database].map(String).join(' ')).toBe(expected);
});

test('rejects a DSN that is no URL without showing it', () => {
  expect(() => targetOf({ dsn: 'mysql://u:geheim@[db/app' }, {})).toThrow(
    /^the DSN is not a valid URL; pass special characters in placeholders, or encode them$/,
  );
});
