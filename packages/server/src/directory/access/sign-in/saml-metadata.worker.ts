import { invalid } from '../../../kit/errors.ts';
import { type IdentityProviderFacts, readIdpMetadata } from './saml-metadata.ts';
import { XmlRefusal } from './strict-xml.ts';

/** Reads an identity provider's metadata. Throws 400 with the reason unless it is usable. */
export function run(metadata: string): IdentityProviderFacts {
  try {
    return readIdpMetadata(metadata);
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    throw invalid(
      `saml.idp_metadata must contain a sign-in service with the HTTP-Redirect binding, and a certificate: ${error.message}.`,
    );
  }
}
