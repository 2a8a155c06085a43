import { sentences } from '#kit/sentences.ts';

/** Limits of a connector on the server. */
export const guardSentences = sentences({
  connector_cannot_use_sockets: 'A connector on the server cannot use local sockets. Use a host and a port.',
  connector_cannot_listen: 'A connector on the server cannot listen for connections.',
  connector_cannot_use_udp: 'A connector on the server cannot use UDP.',
});
