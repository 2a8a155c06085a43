import { literalSecrets } from '@gatehouse/connector/declarative';
import { expect, test } from 'vitest';
import { placesOfSecrets, targetOf } from './dsn.ts';

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

test('rejects a DSN that is not a URL without showing it', () => {
  expect(() => targetOf({ dsn: 'mysql://u:geheim@[db/app' }, {})).toThrow(
    /^the DSN is not a valid URL; pass special characters in placeholders, or encode them$/,
  );
});

test.each([
  [{ dsn: 'postgres://u:hunter2@db/app' }, 1],
  [{ dsn: `postgres://${of('USER')}:${of('PASSWORD:-hunter2')}@db/app` }, 1],
  [{ dsn: 'mysql://db/app', user: 'u', password: 'hunter2' }, 1],
  [{ dsn: 'oracle://OPS$GATE:hunter2@db/app' }, 1],
  [{ dsn: 'postgres://keeper@acme:hunter2@acme.example/app' }, 1],
  [{ dsn: `postgres://${of('USER:-reader')}@db:5432/app` }, 0],
  [{ dsn: 'sqlserver://db?user=u&password=hunter2' }, 1],
  [{ dsn: 'mysql://db/app', params: { password: 'hunter2' } }, 1],
  [{ dsn: `postgres://u:${of('PASSWORD')}@db/app` }, 0],
  [{ dsn: `postgres://${of('USER:-sa')}@db/app`, password: of('PASSWORD') }, 0],
  [{ dsn: 'postgres://db:5432/app', password: '' }, 0],
  [{ dsn: 'sqlite:/data/app.db' }, 0],
])('finds a password in %j %i times', (connect, times) => {
  const document = {
    failure: (path: readonly unknown[], message: string) => new Error(`${path}: ${message}`),
  };
  const places = placesOfSecrets({ app_name: 'App', connect, resource_types: {} });

  const problems = literalSecrets(document as never, places);

  expect(problems).toHaveLength(times);
  expect(problems.join()).not.toContain('hunter2');
});
