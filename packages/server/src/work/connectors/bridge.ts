import { randomBytes } from 'node:crypto';

/**
 * Returns the environment in which a process finds the bridge API of this node, under a name that only this run knows.
 * guard.ts resolves it. Settings and definitions cannot contain the name, so none of them leads to this node, whose other
 * addresses, such as /metrics, are not for the public.
 */
export function bridgeVariables(url: string): Record<string, string> {
  const { origin } = new URL(url);
  const named = hidden(url);
  return { GATEHOUSE_URL: named.href, GATEHOUSE_BRIDGE: origin, GATEHOUSE_NO_PROXY: named.hostname };
}

/** Returns the environment in which a process finds the gateway of this node (gateway.ts), under such a name as well. */
export const gatewayVariables = (url: string): Record<string, string> => ({
  GATEHOUSE_PROXY: hidden(url).href,
  GATEHOUSE_GATEWAY: new URL(url).origin,
});

function hidden(url: string): URL {
  const named = new URL(url);
  named.hostname = `${randomBytes(16).toString('hex')}.internal`;
  return named;
}
