import { signInRefusals } from '../sentences.ts';
import { type IdentityProviderFacts, readIdpMetadata } from './saml-metadata.ts';
import { XmlRefusal } from './strict-xml.ts';

/** Reads an identity provider's metadata. Throws 400 with the reason unless it is usable. */
export function run(metadata: string): IdentityProviderFacts {
  try {
    return readIdpMetadata(metadata);
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    throw signInRefusals.saml_metadata_refused({ reason: error.message });
  }
}
