import { Type } from 'typebox';
import { Component, Uuid } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import {
  addPasskey,
  beginAddingPasskey,
  listPasskeys,
  listPasskeysOf,
  removePasskey,
  removePasskeyOf,
} from '../passkeys.ts';
import { PasskeyView, WebAuthnOptions, WebAuthnResponse } from './passkey-schemas.ts';
import {
  administer,
  changeOwn,
  changeOwnWithoutFactor,
  NoContent,
  oversee,
  ownWithoutFactor,
  PersonParams,
  tags,
} from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

export function listPasskeysRoute(http: Http, { db }: SignInTools) {
  http.get(
    '/auth/passkeys/',
    {
      config: ownWithoutFactor,
      schema: {
        tags,
        summary: 'List your passkeys',
        response: { 200: Component('Passkeys', { results: Type.Array(PasskeyView) }) },
      },
    },
    async (request) => ({ results: await listPasskeys(callOf(db, request)) }),
  );
}

export function beginAddingPasskeyRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/passkeys/options/',
    {
      config: changeOwnWithoutFactor,
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        response: { 200: WebAuthnOptions },
      },
    },
    async (request, reply) => {
      const { body, cookies } = await beginAddingPasskey(
        context,
        await visitOf(request),
        callOf(context.db, request),
      );
      setCookies(reply, cookies);
      return body;
    },
  );
}

export function addPasskeyRoute(http: Http, { context, visitOf }: SignInTools) {
  http.post(
    '/auth/passkeys/',
    {
      config: changeOwnWithoutFactor,
      schema: {
        tags,
        summary: 'Add a passkey',
        body: Component('NewPasskey', {
          name: Type.String({ minLength: 1, maxLength: 100 }),
          response: WebAuthnResponse,
        }),
        response: { 201: PasskeyView },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const passkey = await addPasskey(context, await visitOf(request), callOf(context.db, request), body);
      reply.code(201);
      return passkey;
    },
  );
}

export function removePasskeyRoute(http: Http, { db }: SignInTools) {
  http.delete(
    '/auth/passkeys/:passkey_id/',
    {
      config: changeOwn,
      schema: {
        tags,
        summary: 'Remove one of your passkeys',
        description: 'Allowed within 15 minutes of signing in or of confirming who you are.',
        params: Type.Object({ passkey_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      await removePasskey(callOf(db, request), request.params.passkey_id);
      reply.code(204);
      return null;
    },
  );
}

export function listPasskeysOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.get(
    '/api/users/:user_id/passkeys/',
    {
      config: oversee,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "List a person's passkeys",
        params: PersonParams,
        response: { 200: Component('Passkeys', { results: Type.Array(PasskeyView) }) },
      },
    },
    async (request) => ({
      results: await listPasskeysOf(callOf(db, request), request.params.user_id),
    }),
  );
}

export function removePasskeyOfRoute(http: Http, { db, onPerson }: SignInTools) {
  http.delete(
    '/api/users/:user_id/passkeys/:passkey_id/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: "Remove a person's passkey",
        description: "Ends the person's sessions, since one of them may have been started with it.",
        params: Type.Object({ user_id: Uuid, passkey_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      const { params } = request;
      await removePasskeyOf(callOf(db, request), params.user_id, params.passkey_id);
      reply.code(204);
      return null;
    },
  );
}
