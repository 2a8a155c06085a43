interface OidcConfig {
  clientSecret: string;
}

/** Serializes an OpenID Connect configuration for storage. Encrypts its secret with the organization's. */
export async function sealConfig<T extends OidcConfig>(config: T, key: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  return JSON.stringify({
    ...config,
    clientSecret: await symmetricEncrypt({ key, data: config.clientSecret }),
  });
}

/** Decrypts the secret in a stored configuration. Returns it as JSON, the form that better-auth reads. */
export async function unsealConfig(stored: string, key: string): Promise<string> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  const config = JSON.parse(stored) as OidcConfig;
  return JSON.stringify({
    ...config,
    clientSecret: await symmetricDecrypt({ key, data: config.clientSecret }),
  });
}
