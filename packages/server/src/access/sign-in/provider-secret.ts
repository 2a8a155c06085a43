import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';

interface OidcConfig {
  clientSecret: string;
}

/** How the configuration of an OpenID Connect provider is kept: its secret encrypted with the organization's. */
export async function sealed<T extends OidcConfig>(config: T, key: string): Promise<string> {
  return JSON.stringify({
    ...config,
    clientSecret: await symmetricEncrypt({ key, data: config.clientSecret }),
  });
}

/** The opposite, as better-auth wants it. */
export async function unsealed(kept: string, key: string): Promise<string> {
  const config = JSON.parse(kept) as OidcConfig;
  return JSON.stringify({
    ...config,
    clientSecret: await symmetricDecrypt({ key, data: config.clientSecret }),
  });
}
