import { signInRefusals } from '../sentences.ts';
import { type ResponseExpectation, type VerifiedResponse, verifyResponse } from './saml-response.ts';
import { XmlRefusal } from './strict-xml.ts';

/** Verifies a SAML response. Throws 401 with the reason for the log. */
export function run({ xml, expected }: { xml: string; expected: ResponseExpectation }): VerifiedResponse {
  try {
    return verifyResponse(xml, expected);
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    throw signInRefusals.saml_response_unverified({ reason: error.message });
  }
}
