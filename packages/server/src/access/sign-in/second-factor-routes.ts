import { Type } from 'typebox';
import { recordEvents } from '../../events/record.ts';
import { actorOf } from '../../identity/cause.ts';
import { personOf } from '../../people/people.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { DomainError, forbidden } from '../../platform/errors.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { headersOf, newToken, passOn, readAnswer, visitorHeaders } from './exchange.ts';
import { changed, requireMayHandle, requirePassword } from './passwords.ts';
import type { Ways } from './routes.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';

const Password = Type.Object({ password: Type.String({ minLength: 1, maxLength: 128 }) });
const Code = Type.String({ minLength: 1, maxLength: 32 });
const Nothing = { 204: Type.Null() };
const own = { access: { scope: 'session' } } as const;
const administer = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['Sign-in'];

const WRONG = 'This code is wrong.';
const refusalOf = (code: string) =>
  new DomainError(
    'unauthenticated',
    code.startsWith('INVALID_TWO_FACTOR') || code.startsWith('TOO_MANY')
      ? 'Sign in with your password again.'
      : WRONG,
  );
/** As people type it, and apps show it: in groups. */
const plain = (code: string) => code.replaceAll(/\s/g, '');

/** One-time codes as a second factor of a password (issue "Console"; RFC 6238). */
export function secondFactorRoutes(http: Http, ways: Ways) {
  const { db, origin, onVisit, authOf, within, tryFactor, finish } = ways;

  http.post(
    '/auth/second-factor/',
    {
      config: { access: 'public' },
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Show the second factor of a sign-in that waits for it',
        description: 'Within 10 minutes of the password. Five wrong codes end the sign-in.',
        body: Type.Object({
          code: Code,
          kind: Type.Union([Type.Literal('totp'), Type.Literal('backup_code')]),
        }),
        response: { 200: Type.Object({ signed_in: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const { kind } = request.body;
      const code = plain(request.body.code);
      const auth = await authOf(request);
      return tryFactor(request, kind, null, async () => {
        const verify = kind === 'totp' ? auth.api.verifyTOTP : auth.api.verifyBackupCode;
        const headers = visitorHeaders(request, origin(request));
        const answer = await readAnswer(
          await verify({ body: { code }, headers, asResponse: true }),
          refusalOf,
        );
        const isSpent =
          kind === 'totp' &&
          !(await secondFactor.isFirstUse(db, auth, request.organization.id, answer.body.user.id, code));
        if (isSpent) {
          throw new DomainError(
            'unauthenticated',
            'This code was used already. Wait for the next one, and sign in with your password again.',
          );
        }
        const signIn = { method: 'password', provider: null, second_factor: true };
        return { signed_in: await finish(request, reply, answer, signIn) };
      });
    },
  );

  http.post(
    '/auth/totp/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Set up one-time codes as my second factor',
        description:
          'It counts once a first code was shown. The backup codes work once each, and are shown in this answer only.',
        body: Password,
        response: {
          200: Type.Object({
            uri: Type.String({ description: 'otpauth:, for a QR code.' }),
            backup_codes: Type.Array(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const { principal, body } = request;
      const { email } = await personOf(db, principal, principal.userId);
      const auth = await authOf(request);
      return tryFactor(request, 'password', email, async () => {
        await requirePassword(db, principal, body.password);
        const headers = headersOf(request, origin(request));
        const response = await auth.api.enableTwoFactor({ body, headers, asResponse: true });
        const answer = await readAnswer(
          response,
          () => new DomainError('conflict', 'You have a second factor already. Remove it first.'),
        );
        return { uri: answer.body.totpURI, backup_codes: answer.body.backupCodes };
      });
    },
  );

  http.post(
    '/auth/totp/verify/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Show a first one-time code: the second factor counts from now on',
        body: Type.Object({ code: Code }),
        response: Nothing,
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const code = plain(request.body.code);
      const person = await personOf(db, principal, principal.userId);
      await secondFactor.requireUnconfirmed(db, principal);
      const answer = await tryFactor(request, 'totp', person.email, () =>
        within(request, async (auth, tx) => {
          const answer = await sessions.carryOn(tx, principal, async () => {
            const headers = headersOf(request, origin(request));
            const response = await auth.api.verifyTOTP({ body: { code }, headers, asResponse: true });
            const answer = await readAnswer(response, () => forbidden(WRONG));
            return { answer, token: newToken(answer, origin(request)) };
          });
          await secondFactor.isFirstUse(tx, auth, principal.orgId, principal.userId, code);
          const change = { field: 'second_factor', from: null, to: 'totp' };
          await recordEvents(tx, principal.orgId, [changed(principal, actorOf(request), person, change)]);
          return answer;
        }),
      );
      passOn(reply, answer);
      reply.code(204);
      return null;
    },
  );

  http.delete(
    '/auth/totp/',
    {
      config: own,
      schema: { tags, summary: 'Remove my second factor', body: Password, response: Nothing },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const person = await personOf(db, principal, principal.userId);
      await secondFactor.requireConfirmed(db, principal);
      const answer = await tryFactor(request, 'password', person.email, async () => {
        await requirePassword(db, principal, body.password);
        return within(request, async (auth, tx) => {
          const answer = await sessions.carryOn(tx, principal, async () => {
            const headers = headersOf(request, origin(request));
            const answer = await readAnswer(
              await auth.api.disableTwoFactor({ body, headers, asResponse: true }),
            );
            return { answer, token: newToken(answer, origin(request)) };
          });
          const change = { field: 'second_factor', from: 'totp', to: null };
          await recordEvents(tx, principal.orgId, [changed(principal, actorOf(request), person, change)]);
          return answer;
        });
      });
      passOn(reply, answer);
      reply.code(204);
      return null;
    },
  );

  const onPerson = async (request: Parameters<typeof actorOf>[0]) => {
    await personOf(db, request.principal, (request.params as { user_id: string }).user_id);
  };

  http.delete(
    '/api/users/:user_id/second-factor/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "Remove a person's second factor",
        description:
          'For somebody who lost it. They sign in with their password alone until they set one up.',
        params: Type.Object({ user_id: Uuid }),
        response: Nothing,
      },
    },
    async (request, reply) => {
      const person = await personOf(db, request.principal, request.params.user_id);
      await secondFactor.removeFor(db, request.principal, actorOf(request), person);
      reply.code(204);
      return null;
    },
  );

  http.post(
    '/api/users/:user_id/sign-out/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "End all of a person's sessions",
        params: Type.Object({ user_id: Uuid }),
        response: Nothing,
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const person = await personOf(db, principal, request.params.user_id);
      requireMayHandle(principal, person);
      await transaction(db, async (tx) => {
        const events = await sessions.endAll(tx, principal.orgId, person.id, actorOf(request));
        await recordEvents(tx, principal.orgId, events);
      });
      reply.code(204);
      return null;
    },
  );
}
