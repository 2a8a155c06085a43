import SCIMMY from 'scimmy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, addPersonWithRole, eventsOf } from '#test/people.ts';
import {
  ENTERPRISE,
  GATEHOUSE,
  GROUP,
  newUser,
  openScim,
  patchOf,
  type Scim,
  type ScimTest,
  scimCaller,
  USER,
} from '#test/scim.ts';
import { signInAs } from '#test/sign-in.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let service: TestApp;
let scim: Scim;
let owner: ScimTest['owner'];
let key: string;
beforeAll(async () => {
  service = await openTestApp();
  ({ scim, owner, key } = await openScim(service));
});
afterAll(() => service.close());

const ADDRESSES = [
  ['GET', '/Users'],
  ['POST', '/Users'],
  ['POST', '/Users/.search'],
  ['GET', '/Users/0199a000-0000-7000-8000-000000000001'],
  ['PUT', '/Users/0199a000-0000-7000-8000-000000000001'],
  ['PATCH', '/Users/0199a000-0000-7000-8000-000000000001'],
  ['DELETE', '/Users/0199a000-0000-7000-8000-000000000001'],
  ['GET', '/Groups'],
  ['POST', '/Groups'],
  ['POST', '/Groups/.search'],
  ['GET', '/Groups/0199a000-0000-7000-8000-000000000001'],
  ['PUT', '/Groups/0199a000-0000-7000-8000-000000000001'],
  ['PATCH', '/Groups/0199a000-0000-7000-8000-000000000001'],
  ['DELETE', '/Groups/0199a000-0000-7000-8000-000000000001'],
  ['POST', '/.search'],
  ['POST', '/Bulk'],
  ['GET', '/ServiceProviderConfig'],
  ['GET', '/ResourceTypes'],
  ['GET', '/ResourceTypes/User'],
  ['GET', '/Schemas'],
  ['GET', `/Schemas/${USER}`],
  ['GET', '/Me'],
  ['GET', '/Unknown'],
] as const;

const isScimError = (status: number) => ({
  status,
  headers: { 'content-type': expect.stringContaining('application/scim+json') },
  body: { schemas: [ERROR], status: String(status), detail: expect.any(String) },
});

describe('the caller of every address', () => {
  const keyWith = async (body: object) =>
    (await owner('POST', '/api/api-keys/', { name: 'k', ...body })).body.key;

  test('needs a key', async () => {
    const anonymous = scimCaller(service, 'gh_wrong');
    for (const [method, path] of ADDRESSES) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const answer = await anonymous(method, path, body);
      expect(answer, `${method} ${path}`).toMatchObject(isScimError(401));
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('needs the scope scim, all apps, and the role owner or admin', async () => {
    const { external_uuid, email } = await addPersonWithRole(service, 'auditor@acme.example', 'auditor');
    const auditor = await signInAs(service, { external_uuid, email }, owner);
    expect((await auditor.call('POST', '/api/api-keys/', { name: 'k', scopes: ['scim'] })).status).toBe(403);
    const others = [
      await keyWith({ scopes: ['bridge', 'events', 'read', 'govern'] }),
      await keyWith({ scopes: ['scim'], apps: [] }),
    ];
    for (const other of others)
      for (const [method, path] of ADDRESSES) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        expect(await scimCaller(service, other)(method, path, body), `${method} ${path}`).toMatchObject(
          isScimError(403),
        );
      }
    for (const [method, path] of ADDRESSES) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      expect((await owner(method, `/scim/v2${path}`, body)).status).toBe(403);
    }
  });

  test('may name the key as Bearer or Api-Key', async () => {
    expect((await scim('GET', '/Users?count=0')).status).toBe(200);
    const answer = await service.call('GET', '/scim/v2/Users?count=0', undefined, { key });
    expect(answer.status).toBe(200);
  });

  test('cannot use a bearer token elsewhere', async () => {
    const answer = await service.call('GET', '/api/users/', undefined, {
      key: null,
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(answer.status).toBe(401);
  });

  test('does not see another organization', async () => {
    const other = await addOrganization(service, 'scim-other');
    const { body: stranger } = await other('POST', '/api/users/', { email: 'stranger@scim-other.example' });
    for (const method of ['GET', 'DELETE'])
      expect((await scim(method, `/Users/${stranger.external_uuid}`)).status).toBe(404);
    const filter = encodeURIComponent('userName sw "stranger"');
    expect((await scim('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    const group = {
      schemas: [GROUP],
      displayName: 'Strangers',
      members: [{ value: stranger.external_uuid }],
    };
    expect((await scim('POST', '/Groups', group)).status).toBe(400);
    const answer = await service.call('GET', '/scim/v2/Users', undefined, { key, org: 'scim-other' });
    expect(answer).toMatchObject(isScimError(404));
  });

  test('leaves an event if it is refused', async () => {
    expect((await service.call('GET', '/scim/v2/Users')).status).toBe(403);
    const routes = async () =>
      (await eventsOf(service, 'privileged_call.refused')).map(({ payload }) => payload.route);
    await expect.poll(routes).toContain('/scim/v2/Users');
  });
});

describe('errors', () => {
  test.each([
    ['no JSON', 'POST', '/Users', '{', 400],
    ['a list', 'POST', '/Users', '[]', 400],
    ['an unknown address', 'GET', '/Unknown', undefined, 404],
    ['an unknown user', 'GET', '/Users/ada', undefined, 404],
    ['an unknown schema', 'GET', '/Schemas/urn:x', undefined, 404],
    ['a method that the address does not have', 'PUT', '/Users', {}, 405],
    ['a change of the configuration', 'DELETE', '/ServiceProviderConfig', undefined, 405],
    ['/Me', 'GET', '/Me', undefined, 501],
    ['a body that is too large', 'POST', '/Bulk', `{"x":"${'x'.repeat(1024 * 1024)}"}`, 413],
  ])('of %s are SCIM errors', async (_, method, path, body, status) => {
    expect(await scim(method, path, body)).toMatchObject(isScimError(status));
  });

  test('of another content type are SCIM errors', async () => {
    const answer = await scim('POST', '/Users', 'a=1', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(answer).toMatchObject(isScimError(415));
    expect((await scim('POST', '/Users', newUser(), { 'content-type': 'application/json' })).status).toBe(
      201,
    );
  });
});

describe('a bulk request', () => {
  const bulk = (Operations: object[], more: object = {}) =>
    scim('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations,
      ...more,
    });
  const statuses = ({ body }: { body: { Operations: { status: string }[] } }) =>
    body.Operations.map(({ status }) => status);

  test('carries out operations, which may refer to each other', async () => {
    const group = { displayName: `Bulk ${Date.now()}`, members: [{ value: 'bulkId:ada' }] };
    const answer = await bulk([
      { method: 'POST', path: '/Groups', bulkId: 'group', data: group },
      { method: 'POST', path: '/Users', bulkId: 'ada', data: newUser({ title: 'A' }) },
      {
        method: 'PATCH',
        path: '/Users/bulkId:ada',
        data: patchOf({ op: 'replace', path: 'title', value: 'B' }),
      },
    ]);
    expect(answer.status).toBe(200);
    expect(
      answer.body.Operations.map(({ method, status }: Record<string, string>) => [method, status]),
    ).toEqual([
      ['POST', '201'],
      ['POST', '201'],
      ['PATCH', '200'],
    ]);
    const [user, made] = answer.body.Operations;
    const id = user.location.split('/').at(-1);
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ title: 'B' });
    expect(
      (await scim('GET', new URL(made.location).pathname.split('/scim/v2')[1] ?? '')).body.members,
    ).toMatchObject([{ value: id }]);
    const version = (await scim('GET', `/Users/${id}`)).headers.etag;
    const removal = { method: 'DELETE', path: `/Users/${id}` };
    expect(
      statuses(await bulk([{ ...removal, version: 'W/"old"' }, { ...removal, version }, removal])),
    ).toEqual(['412', '204', '404']);
  });

  test('stops after failOnErrors, and reports each error', async () => {
    const wrong = { method: 'POST', path: '/Users', bulkId: 'x', data: {} };
    const answer = await bulk(
      [wrong, { ...wrong, bulkId: 'y' }, { ...wrong, bulkId: 'z', data: newUser() }],
      { failOnErrors: 2 },
    );
    expect(statuses(answer)).toEqual(['400', '400']);
    expect(answer.body.Operations[0].response).toMatchObject({ schemas: [ERROR], scimType: 'invalidValue' });
  });

  test('fails operations that wait for each other or for nothing', async () => {
    const group = (bulkId: string, member: string) => ({
      method: 'POST',
      path: '/Groups',
      bulkId,
      data: { displayName: bulkId, members: [{ value: `bulkId:${member}` }] },
    });
    expect(statuses(await bulk([group('a', 'b'), group('b', 'a'), group('c', 'nobody')]))).toEqual([
      '409',
      '409',
      '409',
    ]);
  });

  test('is bounded', async () => {
    const answer = await bulk(Array.from({ length: 1001 }, () => ({ method: 'DELETE', path: '/Users/1' })));
    expect(answer).toMatchObject(isScimError(413));
    expect((await bulk([{ method: 'POST', path: '/Users', data: {} }])).status).toBe(400);
    expect(
      statuses(
        await bulk([
          { method: 'GET', path: '/Users' },
          { method: 'DELETE', path: '/Me/1/2' },
        ]),
      ),
    ).toEqual(['400', '400']);
  });
});

describe('scimmy, as a validator', () => {
  test('accepts every user and group', async () => {
    const manager = (await scim('POST', '/Users', newUser())).body;
    const user = newUser({
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      phoneNumbers: [{ value: '+15550100', type: 'work' }],
      addresses: [{ locality: 'London', type: 'work' }],
      [ENTERPRISE]: { department: 'D', manager: { value: manager.id } },
    });
    const { id } = (await scim('POST', '/Users', user)).body;
    const { body: group } = await scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Validated',
      members: [{ value: id }],
    });
    SCIMMY.Schemas.User.extend(SCIMMY.Schemas.EnterpriseUser as never);
    const { body: read } = await scim('GET', `/Users/${id}`);
    const coerced = JSON.parse(JSON.stringify(new SCIMMY.Schemas.User(read, 'out')));
    expect(coerced).toMatchObject({
      id,
      userName: read.userName,
      name: read.name,
      emails: read.emails,
      active: true,
    });
    expect(JSON.parse(JSON.stringify(new SCIMMY.Schemas.Group(group, 'out')))).toMatchObject({
      displayName: 'Validated',
      members: [{ value: id }],
    });
  });

  test('accepts the configuration, the resource types and the schemas', async () => {
    const { body: config } = await scim('GET', '/ServiceProviderConfig');
    expect(JSON.parse(JSON.stringify(new SCIMMY.Schemas.ServiceProviderConfig(config)))).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1000 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
    });
    const { body: types } = await scim('GET', '/ResourceTypes');
    expect(types.totalResults).toBe(2);
    for (const type of types.Resources) {
      new SCIMMY.Schemas.ResourceType(type);
      expect((await scim('GET', `/ResourceTypes/${type.id}`)).body).toEqual(type);
    }
  });

  test('defines each attribute as our schemas do', async () => {
    const { body } = await scim('GET', '/Schemas');
    const standard = [SCIMMY.Schemas.User, SCIMMY.Schemas.EnterpriseUser, SCIMMY.Schemas.Group].map(
      ({ definition }) => JSON.parse(JSON.stringify(definition.describe())),
    );
    type Definition = { name: string; description?: string; subAttributes?: Definition[] };
    const plain = ({ description: _, subAttributes, ...rest }: Definition): object => ({
      ...rest,
      ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(plain) }),
    });
    expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual([
      ...[USER, ENTERPRISE, GATEHOUSE, GROUP],
    ]);
    for (const { id, attributes } of body.Resources) {
      expect((await scim('GET', `/Schemas/${id}`)).body.attributes).toEqual(attributes);
      if (id === GATEHOUSE) continue;
      const known = standard.find((one) => one.id === id).attributes as Definition[];
      for (const attribute of attributes as Definition[]) {
        const same = known.find(({ name }) => name === attribute.name);
        expect(same, attribute.name).toBeDefined();
        if (same !== undefined) expect(plain(attribute)).toMatchObject(relaxed(plain(same)));
      }
    }
  });

  /** scimmy leaves characteristics out that have no meaning, and says nothing about the uniqueness of group names. */
  const relaxed = (definition: object): object =>
    JSON.parse(JSON.stringify(definition, (name, value) => (name === 'uniqueness' ? undefined : value)));
});
