import { sentences } from '../sentences.ts';

/** Why the server sends a request nowhere. */
export const outboundSentences = sentences({
  address_not_public:
    '{host} has the address {address}, which is not public. Use a public address, or ask the operator to list it in GATEHOUSE_ALLOW_PRIVATE_ADDRESSES.',
  host_without_https: '{host} does not use https.',
  response_too_large: '{origin} sent more than {most} bytes.',
});
