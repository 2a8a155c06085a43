import type { Element } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { type ProviderError, providerError } from '../visit/provider-error.ts';
import {
  ASSERTION,
  type AssertionExpectation,
  readAssertion,
  type VerifiedAssertion,
} from './saml-assertion.ts';
import { readIdpMetadata, XMLDSIG } from './saml-metadata.ts';
import {
  childrenNamed,
  childrenOf,
  everyElement,
  onlyChild,
  parseStrictly,
  refuse,
  textOf,
  XmlRefusal,
} from './strict-xml.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = `${XMLDSIG}enveloped-signature`;
const SIGNATURE_METHODS = ['rsa-sha256', 'rsa-sha512'].map(
  (name) => `http://www.w3.org/2001/04/xmldsig-more#${name}`,
);
const DIGEST_METHODS = ['sha256', 'sha512'].map((name) => `http://www.w3.org/2001/04/xmlenc#${name}`);
/** The part around the assertion is not signed by everyone, so anyone may have written it. */
const MOST_AROUND = { elements: 60, attributes: 60 };
const ENCRYPTED = ['EncryptedAssertion', 'EncryptedID', 'EncryptedAttribute'];

export interface ResponseExpectation extends Omit<AssertionExpectation, 'entityId'> {
  /** The identity provider's metadata, with its certificates. */
  idpMetadata: string;
}

/** The content of a response: the facts of its assertion, or the failure that the provider reports. */
export type VerifiedResponse =
  | { assertion: VerifiedAssertion }
  | { reported: ProviderError; inResponseTo: string | null };

/**
 * Verifies a SAML response and returns the facts of its assertion. Everything is read from the bytes that the signature
 * covers. Throws XmlRefusal unless the response contains one assertion with one signature over all of it. A failure that the
 * provider reports has no signature: it counts only in the browser that sent the request.
 */
export function verifyResponse(xml: string, expected: ResponseExpectation): VerifiedResponse {
  const { entityId, certificates } = readIdpMetadata(expected.idpMetadata);
  const response = parseStrictly(xml);
  if (response.localName !== 'Response' || response.namespaceURI !== PROTOCOL)
    refuse('it is not a SAML response');
  if (ENCRYPTED.some((name) => everyElement(response, name).length > 0)) refuse('it is encrypted');
  const reported = failureIn(response);
  const destination = response.getAttribute('Destination');
  if (destination && destination !== expected.acsUrl) refuse('it is meant for another address');
  if (reported !== null) return { reported, inResponseTo: response.getAttribute('InResponseTo') || null };
  const assertion = onlyChild(response, ASSERTION, 'Assertion');
  if (everyElement(response, 'Assertion').length !== 1) refuse('it contains more than one assertion');
  checkSignatures(response, assertion);
  checkAround(response, assertion);

  const signed = parseStrictly(signedAssertion(xml, assertion, certificates));
  const isSame =
    signed.localName === 'Assertion' &&
    signed.namespaceURI === ASSERTION &&
    signed.getAttribute('ID') === assertion.getAttribute('ID');
  if (!isSame) refuse('its signature covers something other than the assertion');
  const verified = readAssertion(signed, { ...expected, entityId });
  if ((response.getAttribute('InResponseTo') || null) !== verified.inResponseTo)
    refuse('the response and its assertion name different requests');
  return { assertion: verified };
}

/** Returns the failure that the status reports, or null (SAML core 3.2.2). The second code says more than the first. */
function failureIn(response: Element): ProviderError | null {
  const status = onlyChild(response, PROTOCOL, 'Status');
  const first = onlyChild(status, PROTOCOL, 'StatusCode');
  if (first.getAttribute('Value') === SUCCESS) return null;
  const second = childrenNamed(first, PROTOCOL, 'StatusCode')[0];
  const message = childrenNamed(status, PROTOCOL, 'StatusMessage')[0];
  const code = (second ?? first).getAttribute('Value') || first.getAttribute('Value') || 'no status';
  return providerError(code.slice(code.lastIndexOf(':') + 1), message && textOf(message));
}

/** Throws XmlRefusal unless the assertion, and at most the response too, has one signature of the permitted form. */
function checkSignatures(response: Element, assertion: Element) {
  const signatures = everyElement(response, 'Signature');
  const places = [response, assertion].map((parent) => signatures.filter((one) => one.parentNode === parent));
  if (places[1]?.length !== 1) refuse('its assertion needs exactly one signature');
  if ((places[0]?.length ?? 0) > 1 || places.flat().length !== signatures.length)
    refuse('it contains a signature in an unexpected place');
  if (everyElement(response, 'Reference').length !== signatures.length)
    refuse('each of its signatures needs exactly one reference');
  for (const signature of signatures) checkSignature(signature);
}

/** better-auth reads the verified response again, in the main thread. */
function checkAround(response: Element, assertion: Element) {
  const around = elementsOf(response, assertion);
  const attributes = around.reduce((sum, element) => sum + element.attributes.length, 0);
  if (around.length > MOST_AROUND.elements || attributes > MOST_AROUND.attributes)
    refuse('the part around its assertion is too complex');
}

const elementsOf = (root: Element, except: Element): Element[] =>
  root === except ? [] : [root, ...childrenOf(root).flatMap((child) => elementsOf(child, except))];

function checkSignature(signature: Element) {
  const parentId = (signature.parentNode as unknown as Element).getAttribute('ID');
  const info = onlyChild(signature, XMLDSIG, 'SignedInfo');
  const parts = new Set(['SignedInfo', 'SignatureValue', 'KeyInfo']);
  if (childrenOf(signature).some(({ localName }) => !parts.has(localName ?? '')))
    refuse('its signature contains an unexpected element');
  const reference = onlyChild(info, XMLDSIG, 'Reference');
  if (!parentId || reference.getAttribute('URI') !== `#${parentId}`)
    refuse('its signature does not refer to the element that contains it');
  requireAlgorithm(onlyChild(info, XMLDSIG, 'CanonicalizationMethod'), [EXCLUSIVE_C14N]);
  requireAlgorithm(onlyChild(info, XMLDSIG, 'SignatureMethod'), SIGNATURE_METHODS);
  requireAlgorithm(onlyChild(reference, XMLDSIG, 'DigestMethod'), DIGEST_METHODS);
  const transforms = childrenOf(onlyChild(reference, XMLDSIG, 'Transforms'));
  if (transforms.length !== 2) refuse('its signature needs two transforms');
  for (const [index, transform] of transforms.entries())
    requireAlgorithm(transform, [index === 0 ? ENVELOPED : EXCLUSIVE_C14N]);
}

function requireAlgorithm(element: Element, allowed: string[]) {
  const algorithm = element.getAttribute('Algorithm') ?? '';
  if (!allowed.includes(algorithm))
    refuse(`its signature uses ${algorithm || 'no algorithm'}, which is not accepted`);
}

/** Returns the bytes that the assertion's signature covers. Throws XmlRefusal unless a certificate verifies it. */
function signedAssertion(xml: string, assertion: Element, certificates: string[]): string {
  const signature = onlyChild(assertion, XMLDSIG, 'Signature');
  for (const publicCert of certificates) {
    // The key comes from the provider's metadata, never from the response.
    const verifier = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
    try {
      verifier.loadSignature(signature as unknown as Node);
      if (!verifier.checkSignature(xml)) continue;
    } catch (error) {
      if (error instanceof XmlRefusal) throw error;
      continue;
    }
    const [signed, ...others] = verifier.getSignedReferences();
    if (signed !== undefined && others.length === 0) return signed;
  }
  return refuse('its signature is not valid');
}
