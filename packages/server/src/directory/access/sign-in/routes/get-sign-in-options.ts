import { Type } from 'typebox';
import { within } from '../../../../kit/database/organization.ts';
import { Component, Nullable } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { listOfferedProviders } from '../facts.ts';
import { noticeOf } from '../failure-notice.ts';
import { reasonAgainstPasskeys } from '../passkeys.ts';
import { open, ProviderType, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

const SignInOptions = Component('SignInOptions', {
  organization: Type.Object({ slug: Type.String(), name: Type.String() }),
  passkeys: Type.Object({
    available: Type.Boolean(),
    reason: Nullable(Type.String({ description: 'Why browsers refuse passkeys at this address.' })),
  }),
  providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: ProviderType })),
  failure: Nullable(
    Type.Object(
      {
        failure: Type.String({ description: 'The code in the address of the sign-in page.' }),
        provider: Type.String({ description: 'The name of the provider.' }),
        error: Type.String({ description: "The provider's own code." }),
        words: Nullable(Type.String({ description: "The provider's own words." })),
      },
      { description: 'The report of a provider in this browser within the last five minutes.' },
    ),
  ),
});

export function getSignInOptionsRoute(http: Http, { db, origin, onVisit, visitOf }: SignInTools) {
  http.get(
    '/auth/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: 'Get sign-in options', response: { 200: SignInOptions } },
    },
    async (request) => {
      const { id, slug, name } = request.organization;
      const reason = reasonAgainstPasskeys(origin(request));
      return {
        organization: { slug, name },
        passkeys: { available: reason === null, reason },
        providers: await listOfferedProviders(within(db, id)),
        failure: noticeOf(await visitOf(request)),
      };
    },
  );
}
