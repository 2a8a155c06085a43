import { Type } from 'typebox';
import { recordEvents } from '../../events/record.ts';
import { actorOf } from '../../identity/cause.ts';
import { personOf } from '../../people/people.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { DomainError, forbidden, invalid, notFound } from '../../platform/errors.ts';
import { Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Auth } from './auth.ts';
import { headersOf, passOn, readAnswer, visitorHeaders } from './exchange.ts';
import { changed } from './passwords.ts';
import * as queries from './queries.ts';
import type { Ways } from './routes.ts';

const PasskeyView = Type.Object({
  id: Uuid,
  name: Type.String(),
  created_at: Timestamp,
  backed_up: Type.Boolean({ description: 'It is on more than one device.' }),
});
/** What the browser is asked and what it answers is WebAuthn's own, and checked by better-auth. */
const Options = Type.Object({}, { additionalProperties: true });
type Shown = NonNullable<Parameters<Auth['api']['verifyPasskeyAuthentication']>[0]>['body']['response'];
const Response = Type.Unsafe<Shown>(
  Type.Object({ id: Type.String({ maxLength: 2048 }) }, { additionalProperties: true }),
);

const own = { access: { scope: 'session' } } as const;
const open = { access: 'public' } as const;
const tags = ['Sign-in'];
const REFUSAL = 'This passkey is not known here, or could not be checked.';

/** Passkeys, which are both factors at once: the device asks for a finger, a face or a PIN (issue "Console"). */
export function passkeyRoutes(http: Http, ways: Ways) {
  const { db, origin, onVisit, authOf, within, tryFactor, finish } = ways;

  http.post(
    '/auth/passkey-sign-in/options/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: 'Begin to sign in with a passkey', response: { 200: Options } },
    },
    async (request, reply) => {
      const auth = await authOf(request);
      const headers = visitorHeaders(request, origin(request));
      const answer = await readAnswer(
        await auth.api.generatePasskeyAuthenticationOptions({ headers, asResponse: true }),
      );
      passOn(reply, answer);
      return { ...answer.body, userVerification: 'required' };
    },
  );

  http.post(
    '/auth/passkey-sign-in/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Sign in with a passkey',
        body: Type.Object({ response: Response }),
        response: { 200: Type.Object({ signed_in: Type.Boolean() }) },
      },
    },
    async (request, reply) => {
      const { response } = request.body;
      const auth = await authOf(request);
      const owner = await queries.findPasskeyOwner(db, request.organization.id, response.id);
      return tryFactor(request, 'passkey', owner?.email ?? null, async () => {
        if (owner === undefined) throw new DomainError('unauthenticated', REFUSAL);
        const headers = visitorHeaders(request, origin(request));
        const answer = await readAnswer(
          await auth.api.verifyPasskeyAuthentication({ body: { response }, headers, asResponse: true }),
          REFUSAL,
        );
        const signIn = { method: 'passkey', provider: null, second_factor: false };
        return { signed_in: await finish(request, reply, answer, signIn) };
      });
    },
  );

  http.get(
    '/auth/passkeys/',
    {
      config: own,
      schema: {
        tags,
        summary: 'List my passkeys',
        response: { 200: Type.Object({ results: Type.Array(PasskeyView) }) },
      },
    },
    async ({ principal: { orgId, userId } }) => ({ results: await queries.listPasskeys(db, orgId, userId) }),
  );

  http.post(
    '/auth/passkeys/options/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        description: 'Within a day of signing in.',
        response: { 200: Options },
      },
    },
    async (request, reply) => {
      const auth = await authOf(request);
      const headers = headersOf(request, origin(request));
      const answer = await readAnswer(
        await auth.api.generatePasskeyRegistrationOptions({ headers, asResponse: true }),
        refusalOf,
      );
      passOn(reply, answer);
      return answer.body;
    },
  );

  http.post(
    '/auth/passkeys/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Add a passkey',
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), response: Response }),
        response: { 201: PasskeyView },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const person = await personOf(db, principal, principal.userId);
      const { id } = await within(request, async (auth, tx) => {
        const headers = headersOf(request, origin(request));
        const answer = await readAnswer(
          await auth.api.verifyPasskeyRegistration({ body, headers, asResponse: true }),
          refusalOf,
        );
        const change = { field: 'passkey', from: null, to: body.name };
        await recordEvents(tx, principal.orgId, [changed(principal, actorOf(request), person, change)]);
        return answer.body as { id: string };
      });
      const added = await queries.listPasskeys(db, principal.orgId, principal.userId);
      reply.code(201);
      return added.find((passkey) => passkey.id === id) as queries.Passkey;
    },
  );

  http.delete(
    '/auth/passkeys/:passkey_id/',
    {
      config: own,
      schema: {
        tags,
        summary: 'Remove one of my passkeys',
        params: Type.Object({ passkey_id: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const { orgId, userId } = principal;
      const person = await personOf(db, principal, userId);
      await transaction(db, async (tx) => {
        const removed = await queries.deletePasskey(tx, orgId, userId, request.params.passkey_id);
        if (removed === undefined) throw notFound('Passkey');
        const change = { field: 'passkey', from: removed.name, to: null };
        await recordEvents(tx, orgId, [changed(principal, actorOf(request), person, change)]);
      });
      reply.code(204);
      return null;
    },
  );
}

const refusalOf = (code: string) =>
  code === 'SESSION_NOT_FRESH'
    ? forbidden('You signed in more than a day ago. Sign in again to add a passkey.')
    : invalid('The passkey could not be checked. Try again.');
