import { refusals } from '../errors.ts';
import { sentences } from '../sentences.ts';

export const httpSentences = sentences({
  server_error: 'Server error. Search the server log for the X-Request-Id of this response.',
});

/** Parts of the messages of invalid places. */
export const inputSentences = sentences({
  at_most_fields: 'should have at most {most} fields',
  no_parameters: 'none',
  not_valid: 'is not valid',
});

export const httpRefusals = refusals({
  too_large: { body_too_large: 'The body is too large.' },
  unsupported_media_type: { json_only: 'Send the body as application/json.' },
  invalid: {
    malformed_request: 'The request is malformed.',
    refused_request: '{reason}',
  },
});
