import type { Path } from '@gatehouse/connector/declarative';
import type { Definition } from './definition.ts';

type Place = { path: Path; text: unknown };

/** Keys of `auth` whose values are secrets. */
const SECRETS = ['password', 'value', 'client_secret', 'refresh_token', 'private_key'];
const SECRET_NAME =
  /^(proxy-)?authorization$|^cookie$|api[-_]?key$|^(?!.*(page|next|sync)).*token$|secret$|password$/i;
/** The parts of a request that have names and values. */
const PARTS = ['headers', 'query', 'form'];
/** APIs that take a key as the user name have such passwords. */
const FILLER = /^(x|x-oauth-basic|api_token)$/i;

/** Returns the places of a definition that should have a placeholder. */
export function placesOfSecrets(definition: Definition): Place[] {
  const { auth = {}, base_url } = definition;
  const ofAuth = Object.entries(auth).flatMap(([kind, given]) =>
    typeof given === 'string'
      ? [{ path: ['auth', kind], text: given }]
      : Object.entries(given ?? {})
          .filter(([name, text]) => SECRETS.includes(name) && !FILLER.test(String(text)))
          .map(([name, text]) => ({ path: ['auth', kind, name], text })),
  );
  const { username, password = '' } = auth.basic ?? {};
  // The key is the user name then.
  const ofUser = FILLER.test(password) ? [{ path: ['auth', 'basic', 'username'], text: username }] : [];
  const [, inAddress] = /^https?:\/\/[^/:@]*:([^/]*)@/i.exec(base_url) ?? [];
  return [...ofAuth, ...ofUser, { path: ['base_url'], text: inAddress }, ...placesOfRequests(definition, [])];
}

/** Returns the headers, query parameters and form fields of all requests whose names are those of secrets. */
function placesOfRequests(value: unknown, path: (string | number)[]): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    const isSecret = PARTS.includes(String(path.at(-1))) && SECRET_NAME.test(name);
    // An expression reads a setting.
    if (isSecret && typeof each === 'string' && !each.includes('{{')) return [{ path: at, text: each }];
    return placesOfRequests(each, at);
  });
}
