import { refusals } from '../errors.ts';
import { sentences } from '../sentences.ts';

export const httpSentences = sentences({
  address_too_long: 'The address is too long. Address and headers together may have 16 KB.',
  headers_too_large: 'The headers are too large. Address and headers together may have 16 KB.',
  request_too_late: 'The request did not arrive in time. Send it again.',
  request_not_http: 'The request is not valid HTTP.',
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
  timed_out: {
    body_too_slow: 'The body arrived too slowly. Send at least 8 KB a second, or send less at a time.',
  },
  invalid: {
    host_malformed: 'The Host header is malformed. Send a host name, with a port from 0 to 65535 if needed.',
    host_missing: 'The request has no Host header. Send the name under which you reach this server.',
    hosts_several: 'The request has several Host headers. Send one.',
    body_not_json: 'The body is not valid JSON.',
    object_too_large:
      'An object of the body has too many fields. Split it, or leave out those that you do not need.',
    lone_surrogate: 'The body contains a lone surrogate, which is not valid text. Remove it.',
    body_not_utf8: 'The body is not valid UTF-8. Send JSON in UTF-8.',
    body_too_deep: 'The body is nested too deeply. At most {most} levels are allowed.',
    body_too_many_values: 'The body has more than {most} values. Split the request.',
    malformed_request: 'The request is malformed.',
    body_incomplete: 'The body is incomplete.',
  },
  unavailable: {
    too_many_waiting:
      'Too many requests are waiting for other systems. Try again when some of them have ended.',
  },
  conflict: {
    public_url_unknown:
      'Gatehouse does not know the address under which people reach it: anyone can write {hostname} into a request. Set GATEHOUSE_PUBLIC_URL to that address, such as https://gatehouse.example.com, and restart Gatehouse.',
  },
  unsupported_media_type: {
    json_only: 'Send the body as application/json.',
    body_encoded: 'Send the body without a Content-Encoding.',
  },
  method_not_allowed: {
    method_not_allowed: 'Method {method} is not allowed at this address.',
  },
  precondition_failed: {
    version_outdated:
      'Somebody else has changed this since you read it: If-Match does not name the current version. Read it again, then repeat your change if it is still needed.',
  },
});
