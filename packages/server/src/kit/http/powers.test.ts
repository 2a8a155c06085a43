import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createHttp } from './server.ts';

const http = () => createHttp({ logger: pino({ level: 'silent' }), trustProxy: false });
const access = { scope: 'govern' };
const noop = async () => null;

test.each([
  ['an address of credentials', '/api/users/:user_id/passkeys/', {}],
  ['a role in its body', '/api/things/', { body: Type.Object({ role: Type.String() }) }],
  [
    'a role deep in its body',
    '/api/things/',
    {
      body: Type.Object({
        people: Type.Array(Type.Union([Type.Null(), Type.Object({ role: Type.String() })])),
      }),
    },
  ],
  ['an address in its body', '/api/things/', { body: Type.Object({ url: Type.String() }) }],
  ['a secret in its response', '/api/things/', { response: { 201: Type.Object({ secret: Type.String() }) } }],
])('the server does not start with a route that has %s and no step-up declared', (_what, url, schema) => {
  const declared = (stepUp?: boolean) => () =>
    http().post(
      url,
      { config: { access: { ...access, ...(stepUp === undefined ? {} : { stepUp }) } }, schema },
      noop,
    );

  expect(declared()).toThrow('does not declare whether it requires a recent sign-in');
  expect(declared(true)).not.toThrow();
  expect(declared(false)).not.toThrow();
});

test('reads and public routes need no step-up', () => {
  expect(() => http().get('/api/api-keys/', { config: { access } }, noop)).not.toThrow();
  expect(() => http().post('/auth/password/', { config: { access: 'public' } }, noop)).not.toThrow();
});
