import { parseText } from '@gatehouse/connector/declarative';
import { expect, test } from 'vitest';
import { connectorFrom, definitionSchema } from './index.ts';

const problemsOf = (text: string) => {
  const definition = `
name: app
base_url: https://app.example
${text}
accounts:
  user:
    name: Users
    list: { get: /users }
    record: { id: item.id, username: item.name }
`;
  return connectorFrom(parseText(definition, 'app.yml', definitionSchema)).literalSecrets ?? [];
};

const of = (name: string) => `\${${name}}`;

test.each([
  [`auth: { basic: { username: '${of('USER')}', password: hunter2 } }`, 'auth.basic.password'],
  ['auth: { bearer: hunter2 }', '4:17: auth.bearer'],
  [`auth: { bearer: '${of('TOKEN:-hunter2')}' }`, '4:17: auth.bearer'],
  ['auth: { header: { name: X-Key, value: hunter2 } }', 'auth.header.value'],
  [
    `auth: { client_credentials: { token_url: 'https://app.example', client_id: '${of('ID')}', client_secret: hunter2 } }`,
    'auth.client_credentials.client_secret',
  ],
  [
    `auth: { signed_jwt: { token_url: 'https://app.example', issuer: '${of('ID')}', private_key: hunter2 } }`,
    'auth.signed_jwt.private_key',
  ],
  ['headers: { X-Api-Key: hunter2 }', 'headers.X-Api-Key'],
  ['auth: { basic: { username: hunter2, password: x } }', 'auth.basic.username'],
  ['check: { get: /me, query: { api_token: hunter2 } }', 'check.query.api_token'],
  ['check: { post: /token, form: { client_secret: hunter2 } }', 'check.form.client_secret'],
])('finds a secret in %s', (text, place) => {
  const [problem, ...others] = problemsOf(text);

  expect(others).toEqual([]);
  expect(problem).toContain(`${place} has a secret that everyone who may read the definition can see`);
  expect(problem).not.toContain('hunter2');
});

test.each([
  `auth: { basic: { username: '${of('TOKEN')}', password: x } }`,
  `auth: { basic: { username: '${of('USER')}', password: '${of('PASSWORD')}' } }`,
  `auth: { header: { name: Authorization, value: 'SSWS ${of('TOKEN')}' } }`,
  `headers: { Accept: application/json, Authorization: 'Bearer ${of('TOKEN')}' }`,
  "check: { get: /me, query: { page_token: first, api_key: '{{ settings.KEY }}' } }\nsettings: { KEY: the key of the API }",
  "headers: { X-Api-Key: '{{ settings.KEY }}' }\nsettings: { KEY: the key of the API }",
])('accepts %s', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test('finds a password in the address', () => {
  const definition = `
name: app
base_url: https://admin:hunter2@app.example
accounts:
  user: { name: Users, list: { get: /users }, record: { id: item.id } }
`;

  const [problem] = connectorFrom(parseText(definition, 'app.yml', definitionSchema)).literalSecrets ?? [];

  expect(problem).toContain('base_url has a secret');
});
