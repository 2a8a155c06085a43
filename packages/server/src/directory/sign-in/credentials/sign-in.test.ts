import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { newOrganization } from '#test/event-log.ts';
import { addPersonWithRole, eventsOf as configurationEvents } from '#test/people.ts';
import {
  type BrowserCall,
  forgetAttempts,
  openBrowser,
  PASSWORD,
  signInAs,
  signInAsOwner,
} from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { expireSessions } from '../expiry.ts';
import { MAX_ACCOUNT_FAILURES, MAX_FAILURES, WINDOW_SECONDS } from '../visit/attempts.ts';

const ADMIN = 'admin@acme.example';
let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp({ own: true });
  call = service.call;
});
afterAll(() => service.close());
// All tests share one address, which failed attempts would block.
beforeEach(() => forgetAttempts(service));

const signedIn = async () => {
  const browser = openBrowser(service);
  await browser.call('POST', '/auth/sign-in/', { email: ADMIN, password: PASSWORD });
  return browser;
};
let people = 0;
const addPerson = (role = 'member') => addPersonWithRole(service, `person${people++}@acme.example`, role);
const eventsOf = async (type: string) =>
  (await call('GET', `/api/events/?event_type=${type}&limit=200`)).body.results;

describe('with a password', () => {
  test('signs in with the email in any case, and records it', async () => {
    const browser = openBrowser(service);

    const answer = await browser.call('POST', '/auth/sign-in/', {
      email: 'ADMIN@acme.example',
      password: PASSWORD,
    });

    expect(answer).toMatchObject({ status: 200, body: { signed_in: true } });
    expect(await browser.call('GET', '/api/users/?limit=1')).toMatchObject({ status: 200 });
    const [event] = await eventsOf('session.login.succeeded');
    expect(event).toMatchObject({
      actor: { type: 'user', ip: '127.0.0.1' },
      payload: { email: ADMIN, method: 'password', second_factor: false },
    });
  });

  test('sets an HttpOnly cookie for its own site', async () => {
    const { headers } = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: ADMIN,
      password: PASSWORD,
    });

    expect(String(headers['set-cookie'])).toMatch(/; Path=\/org\/acme; HttpOnly; SameSite=Lax$/i);
  });

  test('does not accept the stored hash as a session secret', async () => {
    const browser = await signedIn();
    const { rows } = await sql<{ token: string }>`select token from sign_in_session`.execute(
      service.database.db,
    );

    const [[name = '', value = ''] = []] = browser.cookies;
    for (const { token } of rows) {
      expect(decodeURIComponent(value)).not.toContain(token);
      browser.cookies.set(name, encodeURIComponent(`${token}.signature`));
      expect((await browser.call('GET', '/api/users/')).status).toBe(401);
    }
  });

  test.each([
    ['a wrong password', { email: ADMIN, password: 'wrong' }],
    ['an unknown email', { email: 'nobody@acme.example', password: PASSWORD }],
    ['a name that is not an email', { email: 'my password', password: 'x' }],
  ])('rejects %s with the same response', async (_, body) => {
    expect(await openBrowser(service).call('POST', '/auth/sign-in/', body)).toMatchObject({
      status: 401,
      body: { detail: 'Wrong email address or password.' },
      headers: expect.not.objectContaining({ 'set-cookie': expect.anything() }),
    });
  });

  test('records the failure, but not a password typed into the wrong field', async () => {
    await openBrowser(service).call('POST', '/auth/sign-in/', { email: ADMIN, password: 'secret-typed' });
    await openBrowser(service).call('POST', '/auth/sign-in/', { email: 'secret-typed', password: 'x' });

    const [unknown, known] = await eventsOf('session.login.failed');
    expect(known).toMatchObject({
      severity: 'high',
      subject: { type: 'platform_user' },
      payload: { identifier: ADMIN },
    });
    expect(unknown.payload.identifier).toBe('(not an email address)');
    expect(known.actor).toMatchObject({ type: 'user', uuid: known.subject.uuid });
    expect(unknown.actor).toMatchObject({ type: 'system', uuid: null, ip: '127.0.0.1' });
    expect(JSON.stringify([unknown, known])).not.toContain('secret-typed');
  });

  test('neither lets a deactivated person in nor keeps them signed in', async () => {
    const person = await addPerson();
    const browser = await signInAs(service, person);
    await call('POST', `/api/users/${person.external_uuid}/deactivate/`);

    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
    const again = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: person.email,
      password: PASSWORD,
    });
    expect(again.status).toBe(401);
    await call('POST', `/api/users/${person.external_uuid}/reactivate/`);
    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
  });

  test('accepts neither cookie nor password in another organization', async () => {
    await newOrganization(service.database, 'other');
    const browser = await signedIn();

    expect((await browser.call('GET', '/api/users/', undefined, { org: 'other' })).status).toBe(404);
    const there = openBrowser(service, 'other');
    expect((await there.call('POST', '/auth/sign-in/', { email: ADMIN, password: PASSWORD })).status).toBe(
      401,
    );
    expect((await openBrowser(service, 'nobody').call('GET', '/auth/')).status).toBe(404);
  });
});

describe('a session', () => {
  test('is listed and ended by its person', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const { results } = (await one.call('GET', '/auth/sessions/')).body;
    const current = results.find((session: { current: boolean }) => session.current);

    expect(current).toMatchObject({ method: 'password', ip: '127.0.0.1' });
    expect((await other.call('DELETE', `/auth/sessions/${current.id}/`)).status).toBe(204);
    expect((await other.call('DELETE', `/auth/sessions/${current.id}/`)).status).toBe(404);
    expect((await one.call('GET', '/auth/sessions/')).status).toBe(401);
    expect((await eventsOf('session.logout'))[0].payload).toMatchObject({ session_id: current.id });
  });

  test('of another person cannot be ended', async () => {
    const admin = await signedIn();
    const { results } = (await admin.call('GET', '/auth/sessions/')).body;
    const member = await signInAs(service, await addPerson());

    expect((await member.call('DELETE', `/auth/sessions/${results[0].id}/`)).status).toBe(404);
  });

  test('ends with signing out', async () => {
    const browser = await signedIn();
    const stolen = new Map(browser.cookies);

    const answer = await browser.call('POST', '/auth/sign-out/');

    expect(answer.status).toBe(204);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
    for (const [name, value] of stolen) browser.cookies.set(name, value);
    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
  });

  test('expires with one event on any number of nodes', async () => {
    const browser = await signedIn();
    const { results } = (await browser.call('GET', '/auth/sessions/')).body;
    const { id } = results.find((session: { current: boolean }) => session.current);
    const { db } = service.database;
    await setTimes(db, 'sign_in_session', { expires_at: '1 second ago' }, { id });

    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(401);
    await Promise.all([expireSessions(db, WINDOW_SECONDS), expireSessions(db, WINDOW_SECONDS)]);
    const told = (await eventsOf('session.expired')).filter(
      ({ payload }: { payload: { session_id: string } }) => payload.session_id === id,
    );
    expect(told).toHaveLength(1);
  });

  test('is extended by use, up to a week', async () => {
    const browser = await signedIn();
    const { db } = service.database;
    const age = (days: number) =>
      setTimes(db, 'sign_in_session', {
        signed_in_at: `${days} days ago`,
        updated_at: '1 hour ago',
        expires_at: '1 minute ahead',
      });
    const hoursLeft = async () => {
      await browser.call('GET', '/auth/sessions/');
      const { results } = (await browser.call('GET', '/auth/sessions/')).body;
      const { expires_at } = results.find((session: { current: boolean }) => session.current);
      return (Date.parse(expires_at) - Date.now()) / 3_600_000;
    };

    await age(1);
    expect(await hoursLeft()).toBeCloseTo(12, 1);
    await age(6.75);
    expect(await hoursLeft()).toBeCloseTo(6, 1);
  });

  test('cannot be managed by an API key', async () => {
    expect(await call('GET', '/auth/sessions/')).toMatchObject({ status: 403 });
  });
});

describe('another site', () => {
  const foreign = { headers: { origin: 'https://evil.example' } };

  test('can neither act for a signed-in person nor sign them in as someone else', async () => {
    const browser = await signedIn();

    for (const options of [foreign, { headers: { origin: 'null' } }]) {
      expect((await browser.call('POST', '/api/users/', { email: 'x@evil.example' }, options)).status).toBe(
        403,
      );
      expect((await browser.call('POST', '/auth/sign-out/', undefined, options)).status).toBe(403);
      const login = await browser.call(
        'POST',
        '/auth/sign-in/',
        { email: ADMIN, password: PASSWORD },
        options,
      );
      expect(login.status).toBe(403);
    }
    expect((await browser.call('GET', '/auth/sessions/')).status).toBe(200);
  });

  test('cannot act by a request without an origin', async () => {
    const browser = await signedIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

    const answer = await call(
      'POST',
      '/api/users/',
      { email: 'y@evil.example' },
      { key: null, headers: { cookie } },
    );

    expect(answer.status).toBe(403);
  });
});

describe('a password', () => {
  test('can be changed by a person who knows it, which ends their other sessions', async () => {
    const person = await addPerson();
    const browser = await signInAs(service, person);
    const elsewhere = openBrowser(service);
    await elsewhere.call('POST', '/auth/sign-in/', { email: person.email, password: PASSWORD });
    const change = (current_password: string, new_password: string) =>
      browser.call('POST', '/auth/password/', { current_password, new_password });

    expect((await change('wrong', 'another good one')).status).toBe(403);
    expect((await change(PASSWORD, 'short')).status).toBe(400);
    expect(await change(PASSWORD, 'password1234')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('easy to guess') },
    });
    expect((await change(PASSWORD, 'another good one')).status).toBe(204);
    expect((await configurationEvents(service, 'password.changed')).at(-1)).toMatchObject({
      actor: { uuid: person.external_uuid },
      payload: { user_id: person.external_uuid, method: 'self' },
    });
    expect((await browser.call('GET', '/auth/sessions/')).body.results).toHaveLength(1);
    expect((await elsewhere.call('GET', '/auth/sessions/')).status).toBe(401);
    const old = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: person.email,
      password: PASSWORD,
    });
    expect(old.status).toBe(401);
  });
});

describe('a one-time link', () => {
  const link = async (id: string, by?: BrowserCall) => {
    const answer = await (by ?? (await signInAsOwner(service)).call)(
      'POST',
      `/api/users/${id}/sign-in-link/`,
    );
    return { ...answer, token: String(answer.body.url).split('#')[1] };
  };
  const use = (token: string | undefined, new_password = PASSWORD) =>
    openBrowser(service).call('POST', '/auth/welcome/', { token, new_password });

  test('works once, and only if it is the latest', async () => {
    const { external_uuid, email } = await addPerson();
    const [first, second] = [await link(external_uuid), await link(external_uuid)];

    expect((await use(first.token)).status).toBe(401);
    expect((await use(second.token, email.repeat(2))).status).toBe(400);
    const both = await Promise.all([use(second.token), use(second.token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(both.find(({ status }) => status === 200)?.body).toEqual({ email });
  });

  test('is made before the first day and after the last one only if an owner confirms it', async () => {
    const today = Temporal.Now.plainDateISO('UTC');
    const owner = await signInAsOwner(service);
    const admin = await signInAs(service, await addPerson('admin'));
    for (const [field, offset] of [
      ['start_date', 2],
      ['end_date', -2],
    ] as const) {
      const { external_uuid } = await addPerson();
      await service.call('PATCH', `/api/users/${external_uuid}/`, {
        [field]: today.add({ days: offset }).toString(),
      });
      const statusOf = async (by: { call: BrowserCall }, body?: object) =>
        (await by.call('POST', `/api/users/${external_uuid}/sign-in-link/`, body)).status;
      expect([await statusOf(owner), await statusOf(owner, { confirm: false })]).toEqual([409, 409]);
      expect([await statusOf(admin), await statusOf(admin, { confirm: true })]).toEqual([409, 409]);
      expect(await statusOf(owner, { confirm: true })).toBe(200);
    }
  });

  test('is recorded and stored without its secret', async () => {
    const { external_uuid } = await addPerson();
    const { token = '' } = await link(external_uuid);

    const [event] = await eventsOf('user.updated');
    expect(event).toMatchObject({
      subject: { uuid: external_uuid },
      payload: { changes: [{ field: 'sign_in_link' }] },
    });
    expect(JSON.stringify(event)).not.toContain(token);
    const created = (await configurationEvents(service, 'password.link_created')).at(-1);
    expect(created).toMatchObject({ subject: { uuid: external_uuid } });
    expect(JSON.stringify(created)).not.toContain(token);
    const { rows } =
      await sql`select from sign_in_verification where strpos(identifier || value, ${token}) > 0`.execute(
        service.database.db,
      );
    expect(rows).toEqual([]);
  });

  test('for an owner can be created only by owners, and never by members', async () => {
    const [admin, member] = [await addPerson('admin'), await addPerson()];
    const owner = (await call('GET', '/api/users/?role=owner')).body.results[0].external_uuid;
    const asAdmin = (await signInAs(service, admin)).call;
    const asMember = (await signInAs(service, member)).call;

    expect((await link(owner, asAdmin)).status).toBe(403);
    expect((await link(member.external_uuid, asAdmin)).status).toBe(200);
    expect((await link(admin.external_uuid, asMember)).status).toBe(403);
  });
});

describe('repeated failures', () => {
  test('block the address for a while, also if concurrent, with one event', async () => {
    const before = (await eventsOf('session.ip_blocked')).length;
    const wrong = () =>
      openBrowser(service).call('POST', '/auth/sign-in/', { email: ADMIN, password: 'wrong' });
    const many = await Promise.all(Array.from({ length: 3 * MAX_FAILURES }, wrong));

    const refused = many.filter(({ status }) => status === 401);
    expect(refused).toHaveLength(MAX_FAILURES);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(2 * MAX_FAILURES);
    const right = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: ADMIN,
      password: PASSWORD,
    });
    expect(right).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } });
    const blocks = await eventsOf('session.ip_blocked');
    expect(blocks).toHaveLength(before + 1);
    expect(blocks[0]).toMatchObject({
      severity: 'critical',
      payload: { ip: '127.0.0.1', failures: MAX_FAILURES, window_seconds: WINDOW_SECONDS },
    });

    await setTimes(service, 'sign_in_attempt', { blocked_until: '1 second ago' });
    const later = await openBrowser(service).call('POST', '/auth/sign-in/', {
      email: ADMIN,
      password: PASSWORD,
    });
    expect(later.status).toBe(200);
  });

  test.each([
    ['a person', () => addPerson()],
    ['an email address that nobody has', async () => ({ email: 'Nobody-At-All@acme.example' })],
  ])('from many addresses block the password of %s with the same response', async (_, make) => {
    const { email } = await make();
    const from = async (ip: string, typed = email) => {
      const { statusCode, headers } = await service.app.http.inject({
        method: 'POST',
        url: '/org/acme/auth/sign-in/',
        remoteAddress: ip,
        headers: { origin: ORIGIN },
        payload: { email: typed, password: 'wrong' },
      });
      return { status: statusCode, headers };
    };

    const many = await Promise.all(
      Array.from({ length: 2 * MAX_ACCOUNT_FAILURES }, (_, i) => from(`192.0.2.${i}`)),
    );

    expect(many.filter(({ status }) => status === 401)).toHaveLength(MAX_ACCOUNT_FAILURES);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(MAX_ACCOUNT_FAILURES);
    expect(await from('198.51.100.1', ` ${email.toUpperCase()} `)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^(8|9)\d\d$/) },
    });
    expect((await from('198.51.100.1', ADMIN)).status).toBe(401);
  });

  test('count all addresses of an IPv6 /64 network as one', async () => {
    const from = async (ip: string) =>
      (
        await service.app.http.inject({
          method: 'POST',
          url: '/org/acme/auth/sign-in/',
          remoteAddress: ip,
          headers: { origin: ORIGIN },
          payload: { email: ADMIN, password: 'wrong' },
        })
      ).statusCode;
    for (let i = 0; i < MAX_FAILURES; i++) await from(`2001:db8:0:1::${i}`);

    expect(await from('2001:db8:0:1:ffff::1')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(401);
    expect((await eventsOf('session.ip_blocked'))[0].payload.ip).toBe('2001:db8:0:1::9');
  });

  test('do not include concurrent successful sign-ins from one address', async () => {
    const right = () =>
      openBrowser(service).call('POST', '/auth/sign-in/', { email: ADMIN, password: PASSWORD });

    const crowd = await Promise.all(Array.from({ length: 3 * MAX_FAILURES }, right));

    expect(crowd.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(MAX_FAILURES);
    expect((await right()).status).toBe(200);
  });

  test('do not include forged provider responses, which any site could send', async () => {
    const before = (await eventsOf('session.ip_blocked')).length;
    for (let i = 0; i <= MAX_FAILURES; i++) {
      const answer = await openBrowser(service).call('GET', '/auth/sso/callback/nobody?state=made-up&code=x');
      expect(answer).toMatchObject({ status: 303, headers: { location: expect.stringContaining('error=') } });
    }

    expect((await signedIn()).cookies.size).toBe(1);
    expect(await eventsOf('session.ip_blocked')).toHaveLength(before);
  });

  test('do not include old ones', async () => {
    const { db } = service.database;
    await sql`
      insert into sign_in_attempt (org_id, counter, failures, since)
      select id, 'address 127.0.0.1', ${MAX_FAILURES - 1}, now() - interval '1 hour' from organization where slug = 'acme'`.execute(
      db,
    );

    await openBrowser(service).call('POST', '/auth/sign-in/', { email: ADMIN, password: 'wrong' });

    expect((await signedIn()).cookies.size).toBe(1);
  });
});
