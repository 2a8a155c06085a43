import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { IdentityProvider, SamlLib, ServiceProvider } from 'samlify';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export interface SamlProvider {
  metadata: string;
  entityId: string;
  certificate: string;
  /** Responds to the request behind `url` with an assertion for `email`. `tags` overrides parts of the response. */
  respond(
    url: string,
    ourMetadata: string,
    email: string,
    tags?: Record<string, string | undefined>,
  ): Promise<{ SAMLResponse: string; RelayState: string }>;
}

/** Opens a SAML identity provider (samlify) that signs its assertions with its own key. */
export function openSamlProvider(entityId = 'https://idp.example/saml', notAfter?: Date): SamlProvider {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = selfSigned(publicKey, privateKey, notAfter);
  const idp = IdentityProvider({
    entityID: entityId,
    signingCert: certificate,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: [EMAIL_ADDRESS],
    singleSignOnService: [{ Binding: REDIRECT, Location: `${entityId}/sign-in` }],
  });
  return {
    metadata: idp.getMetadata(),
    entityId,
    certificate,
    async respond(url, ourMetadata, email, tags = {}) {
      const { searchParams } = new URL(url);
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
      const sp = ServiceProvider({ metadata: ourMetadata });
      const acs = sp.entityMeta.getAssertionConsumerService('post') as string;
      const id = `_${randomUUID()}`;
      const moment = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
      const values = {
        ID: id,
        AssertionID: `_${randomUUID()}`,
        Destination: acs,
        Audience: sp.entityMeta.getEntityID(),
        SubjectRecipient: acs,
        Issuer: entityId,
        IssueInstant: moment(0),
        StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        ConditionsNotBefore: moment(-1),
        ConditionsNotOnOrAfter: moment(5),
        SubjectConfirmationDataNotOnOrAfter: moment(5),
        NameIDFormat: EMAIL_ADDRESS,
        NameID: email,
        InResponseTo: / ID="([^"]+)"/.exec(request)?.[1],
        AuthnStatement: '',
        AttributeStatement: '',
        ...tags,
      };
      const { context } = await idp.createLoginResponse(
        sp,
        { extract: {} },
        'post',
        { email },
        (template: string) => ({
          id,
          // Values are escaped, and statements are elements.
          context: SamlLib.replaceTagsByValue(
            template.replace('{AttributeStatement}', values.AttributeStatement ?? ''),
            values,
          ),
        }),
      );
      return { SAMLResponse: context, RelayState: searchParams.get('RelayState') ?? '' };
    },
  };
}

/** The metadata of another service, for a response that is not meant for Gatehouse. */
export const metadataOfOther = (ourMetadata: string) =>
  ourMetadata.replace(/entityID="[^"]+"/, 'entityID="https://other.example/"');

/** Creates a minimal self-signed X.509 certificate (RFC 5280, 4.1). */
export function selfSigned(
  publicKey: KeyObject,
  privateKey: KeyObject,
  notAfter = new Date('2049-12-31T23:59:59Z'),
): string {
  const sha256WithRsa = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'));
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('idp')));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(
    0x30,
    der(0x17, Buffer.from('200101000000Z')),
    der(
      0x17,
      Buffer.from(
        `${notAfter
          .toISOString()
          .replace(/[-:T]|\.\d+/g, '')
          .slice(2)}`,
      ),
    ),
  );
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(0x30, version3, serial, sha256WithRsa, name, validity, name, key);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines =
    der(0x30, body, sha256WithRsa, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
