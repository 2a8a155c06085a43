import { Agent, buildConnector, fetch } from 'undici';
import { checkedLookup, checkLiteral } from './addresses.ts';

type NoteAddress = (options: { protocol: string; host?: string }, address: string | undefined) => void;

export type Client = ReturnType<typeof openClient>;

/**
 * Opens the agents of outbound.ts, which keep connections open for later requests. A connection belongs to the rules under which it was
 * made. `noteAddress` gets the address of each new one.
 */
export const openClient = (noteAddress: NoteAddress) => ({
  fetch,
  agents: { public: agent(false, noteAddress), developing: agent(true, noteAddress) },
});

/** The addresses of a name are checked when a connection is made, and an IP address in a URL before. */
function agent(allowLoopback: boolean, noteAddress: NoteAddress): Agent {
  const connectorFor = (protocol: string) =>
    buildConnector({ lookup: checkedLookup({ protocol, allowLoopback }) });
  const [secure, plain] = [connectorFor('https:'), connectorFor('http:')];
  return new Agent({
    connect: (options, callback) => {
      const { hostname, protocol } = options;
      try {
        checkLiteral(hostname, { protocol, allowLoopback });
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      (protocol === 'https:' ? secure : plain)(options, (...result) => {
        const [error, socket] = result;
        if (error === null) noteAddress(options, socket.remoteAddress);
        callback(...result);
      });
    },
  });
}
