import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { selfSigned } from './saml.ts';

const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';

/** How a response differs from an honest one. */
export interface Difference {
  /** Changes the assertion before it is signed. */
  assertion?: (xml: string) => string;
  /** Changes the whole response before it is signed. */
  response?: (xml: string) => string;
  /** Changes the response after it is signed. */
  after?: (xml: string) => string;
  /** The elements that are signed, in this order. */
  signs?: ('Assertion' | 'Response')[];
  references?: number;
  signatureMethod?: string;
  digestMethod?: string;
  assertionId?: string;
}

export interface HostileSamlProvider {
  entityId: string;
  certificate: string;
  /** Responds to the request behind `url`. */
  respond(url: string, email: string, difference?: Difference): { SAMLResponse: string; RelayState: string };
}

/** Opens a SAML identity provider that signs what a test wants it to sign. */
export function openHostileSamlProvider(entityId = 'https://idp.example/hostile'): HostileSamlProvider {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = selfSigned(publicKey, privateKey);
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  const signedOnce = (xml: string, name: string, { references = 1, ...methods }: Difference) => {
    const signer = new SignedXml({
      privateKey: key,
      publicCert: certificate,
      canonicalizationAlgorithm: EXCLUSIVE_C14N,
      signatureAlgorithm: methods.signatureMethod ?? RSA_SHA256,
    });
    const xpath = `//*[local-name(.)='${name}']`;
    for (let index = 0; index < references; index++) {
      signer.addReference({
        xpath,
        transforms: [ENVELOPED, EXCLUSIVE_C14N],
        digestAlgorithm: methods.digestMethod ?? SHA256,
      });
    }
    signer.computeSignature(xml, {
      location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    });
    return signer.getSignedXml();
  };
  const signed = (xml: string, difference: Difference) =>
    (difference.signs ?? ['Assertion']).reduce((done, name) => signedOnce(done, name, difference), xml);

  return {
    entityId,
    certificate,
    respond(url, email, difference = {}) {
      const { searchParams } = new URL(url);
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
      const { assertion = same, response = same, after = same } = difference;
      const facts = {
        email,
        entityId,
        id: difference.assertionId ?? `_${randomUUID()}`,
        inResponseTo: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
        acs: / AssertionConsumerServiceURL="([^"]+)"/.exec(request)?.[1] ?? '',
        audience: />([^<]+)<\/saml:Issuer>/.exec(request)?.[1] ?? '',
      };
      const xml = response(responseOf(facts, assertion(assertionOf(facts))));
      return {
        SAMLResponse: Buffer.from(after(signed(xml, difference))).toString('base64'),
        RelayState: searchParams.get('RelayState') ?? '',
      };
    },
  };
}

const same = (xml: string) => xml;

/** A moment, in minutes from now. */
export const moment = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

interface Facts {
  email: string;
  entityId: string;
  id: string;
  inResponseTo: string;
  acs: string;
  audience: string;
}

const assertionOf = ({ email, entityId, id, inResponseTo, acs, audience }: Facts) =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${moment(0)}"><saml:Issuer>${entityId}</saml:Issuer><saml:Subject><saml:NameID>${email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${moment(5)}" Recipient="${acs}" InResponseTo="${inResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${moment(-1)}" NotOnOrAfter="${moment(6)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions></saml:Assertion>`;

const responseOf = ({ entityId, inResponseTo, acs }: Facts, assertion: string) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${moment(0)}" Destination="${acs}" InResponseTo="${inResponseTo}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
