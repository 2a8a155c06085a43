import { httpRefusals } from './sentences.ts';
import type { Access, Http } from './server.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The methods and the access of each address. */
export type Addresses = Map<string, { methods: Set<string>; access: Access }>;

interface Address {
  parts: string[];
  methods: string[];
}

/**
 * Replies to the methods that an address does not have: 204 with `Allow` to OPTIONS, 405 to the others. Call it after
 * all routes of `http` are added.
 */
export function refuseOtherMethods(http: Http, addresses: Addresses) {
  // A copy: the routes added here are collected, too.
  const known = [...addresses].map(([url, { methods, access }]) => ({
    url,
    parts: segments(url),
    methods: [...methods],
    access,
  }));
  for (const one of known) {
    const { url, methods, access } = one;
    // A push to a resource type named `complete` has the address of the completion: its route serves the method.
    const served = new Set([...methods, ...methodsOfWider(one, known)]);
    const allowed = [...served, 'OPTIONS'].sort().join(', ');
    http.route({
      method: METHODS.filter((method) => !served.has(method)),
      url,
      // The reply has nothing to protect with a step-up.
      config: { access: access === 'public' ? access : { ...access, stepUp: false } },
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.header('Allow', allowed);
        if (request.method === 'OPTIONS') return reply.code(204).send();
        throw httpRefusals.method_not_allowed({ method: request.method });
      },
    });
  }
}

/** The methods of other addresses that also match this one because a word stands in place of a free parameter. */
const methodsOfWider = (one: Address, all: Address[]) =>
  all.flatMap((other) => (other !== one && covers(other.parts, one.parts) ? other.methods : []));

const covers = (wider: string[], parts: string[]): boolean =>
  wider.length === parts.length &&
  wider.every((part, i) => part === parts[i] || (isFree(part) && !isParameter(parts[i] ?? '')));

const segments = (url: string) => url.split('/').filter((part) => part !== '');
const isParameter = (part: string) => part.startsWith(':');
/** Ids cannot be words. */
const isFree = (part: string) => isParameter(part) && !part.endsWith('id');
