import type { Path } from '@gatehouse/connector/declarative';
import type { Definition } from './definition.ts';

/** Keys of `auth` whose values are secrets. */
const SECRETS = ['password', 'value', 'client_secret', 'refresh_token', 'private_key'];
const SECRET_HEADER = /^(proxy-)?authorization$|^cookie$|api-?key$|token$|secret$/i;
/** APIs that take a key as the user name have such passwords. */
const FILLER = /^(x|x-oauth-basic|api_token)$/i;

/** Returns the places of a definition that should have a placeholder. */
export function placesOfSecrets({ auth = {}, headers = {} }: Definition): { path: Path; text: unknown }[] {
  const ofAuth = Object.entries(auth).flatMap(([kind, given]) =>
    typeof given === 'string'
      ? [{ path: ['auth', kind], text: given }]
      : Object.entries(given ?? {})
          .filter(([name, text]) => SECRETS.includes(name) && !FILLER.test(String(text)))
          .map(([name, text]) => ({ path: ['auth', kind, name], text })),
  );
  const ofHeaders = Object.entries(headers)
    // An expression reads a setting.
    .filter(([name, text]) => SECRET_HEADER.test(name) && !text.includes('{{'))
    .map(([name, text]) => ({ path: ['headers', name], text }));
  return [...ofAuth, ...ofHeaders];
}
