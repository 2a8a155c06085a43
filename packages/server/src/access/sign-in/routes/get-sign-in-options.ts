import { Type } from 'typebox';
import type { Http } from '../../../platform/http/server.ts';
import { listOfferedProviders } from '../providers.ts';
import { open, ProviderType, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

const SignInOptions = Type.Object({
  organization: Type.Object({ slug: Type.String(), name: Type.String() }),
  providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: ProviderType })),
});

export function getSignInOptionsRoute(http: Http, { db, onVisit }: SignInTools) {
  http.get(
    '/auth/',
    {
      config: open,
      onRequest: onVisit,
      schema: { tags, summary: 'Get sign-in options', response: { 200: SignInOptions } },
    },
    async ({ organization: { id, slug, name } }) => ({
      organization: { slug, name },
      providers: await listOfferedProviders(db, id),
    }),
  );
}
