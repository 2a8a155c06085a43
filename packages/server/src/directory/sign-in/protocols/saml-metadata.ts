import { X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { childrenNamed, everyElement, onlyChild, parseStrictly, refuse, textOf } from './strict-xml.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MOST_CERTIFICATES = 10;
const SMALLEST_RSA_KEY = 2048;

/** The facts about an identity provider that Gatehouse uses. */
export interface IdentityProviderFacts {
  entityId: string;
  /** The sign-in service with the HTTP-Redirect binding. */
  ssoUrl: string;
  /** The address of every sign-in service, whatever its binding. */
  locations: string[];
  /** Certificates for signatures, as PEM. */
  certificates: string[];
}

/** Reads the metadata of one SAML identity provider. Throws XmlRefusal unless it is complete. */
export function readIdpMetadata(xml: string): IdentityProviderFacts {
  const root = parseStrictly(xml, { comments: true });
  if (root.localName !== 'EntityDescriptor' || root.namespaceURI !== METADATA)
    refuse('it is not an EntityDescriptor');
  const entityId = root.getAttribute('entityID')?.trim() || refuse('it has no entityID');
  const descriptor = onlyChild(root, METADATA, 'IDPSSODescriptor');
  const services = childrenNamed(descriptor, METADATA, 'SingleSignOnService');
  const locations = services.map((service) => service.getAttribute('Location')?.trim() ?? '');
  const redirect = services.findIndex((service) => service.getAttribute('Binding') === REDIRECT);
  const ssoUrl = locations[redirect] || refuse('it has no sign-in service with the HTTP-Redirect binding');
  const certificates = childrenNamed(descriptor, METADATA, 'KeyDescriptor')
    .filter((key) => (key.getAttribute('use') ?? 'signing') === 'signing')
    .flatMap(certificatesIn);
  if (certificates.length === 0) refuse('it has no certificate for signatures');
  if (certificates.length > MOST_CERTIFICATES) refuse('it has too many certificates');
  return { entityId, ssoUrl, locations, certificates };
}

const certificatesIn = (key: Element): string[] =>
  everyElement(key, 'X509Certificate').flatMap((element) => readCertificates(textOf(element)));

const BEGIN = '-----BEGIN CERTIFICATE-----';
const BLOCK = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/**
 * Returns certificates as PEM. One may come without its BEGIN and END lines. Between several, tools such as openssl write
 * other lines.
 */
export function readCertificates(text: string): string[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, base64]) => base64 ?? '');
  // A block without its end would be left out silently.
  if (blocks.length !== text.split(BEGIN).length - 1) refuse('one of its certificates has no END line');
  const certificates = (blocks.length === 0 ? [text] : blocks).map(readCertificate);
  if (certificates.length > MOST_CERTIFICATES) refuse('it has too many certificates');
  return certificates;
}

function readCertificate(text: string): string {
  const base64 = text.replace(/\s+/g, '');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return refuse('its certificate is not an X.509 certificate');
  }
  const unpadded = (given: string) => given.replace(/=+$/, '');
  if (unpadded(certificate.raw.toString('base64')) !== unpadded(base64))
    refuse('its certificate is followed by something else: write each between its BEGIN and END lines');
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const isStrong =
    asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= SMALLEST_RSA_KEY;
  if (!isStrong) refuse('its certificate needs an RSA key of at least 2048 bits');
  return certificate.toString();
}

/** Returns when the last of some certificates expires. Until then, the provider can sign with one of them. */
export const lastExpiry = (certificates: readonly string[]): Date =>
  new Date(Math.max(...certificates.map((pem) => new X509Certificate(pem).validToDate.getTime())));

/** Writes metadata with exactly these facts. */
export function writeIdpMetadata({ entityId, ssoUrl, certificates }: IdentityProviderFacts): string {
  const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const keys = certificates.map(
    (pem) =>
      `<KeyDescriptor use="signing"><KeyInfo xmlns="${XMLDSIG}"><X509Data><X509Certificate>${pem
        .replace(/-----(BEGIN|END) CERTIFICATE-----/g, '')
        .replace(/\s+/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
  );
  return `<EntityDescriptor xmlns="${METADATA}" entityID="${escaped(entityId)}">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${keys.join('\n')}
<SingleSignOnService Binding="${REDIRECT}" Location="${escaped(ssoUrl)}"/>
</IDPSSODescriptor></EntityDescriptor>`;
}
