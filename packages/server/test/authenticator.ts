import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The WebAuthn options that a page passes to the browser, as far as this device uses them (WebAuthn 5.4 and 5.5). */
interface PasskeyOptions {
  challenge: string;
  user?: { id: string };
}

export interface Authenticator {
  create(options: PasskeyOptions): unknown;
  get(options: PasskeyOptions): { id: string };
  /** Makes the device count no more, as after the passkey has moved to a keychain that syncs. */
  stopCounting(): void;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/**
 * Opens a device with one passkey (ES256, no attestation). It verifies its user unless `verifiesUser` is false, and counts its signatures
 * unless `counts` is false.
 */
export function openAuthenticator(
  origin: string,
  { verifiesUser = true, counts = true } = {},
): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  let hasStopped = false;

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (flags: number, credential = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    if (!hasStopped) counter = counts ? counter + 1 : 1;
    count.writeUInt32BE(counter);
    const shown = PRESENT | (verifiesUser ? VERIFIED : 0) | flags;
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([shown]), count, credential]);
  };
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, value.toString('base64url')]),
    ),
  });

  return {
    stopCounting() {
      hasStopped = true;
      counter = 0;
    },
    create({ challenge }) {
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const data = authData(HAS_CREDENTIAL, credential);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({ attestationObject, clientDataJSON: clientData('webauthn.create', challenge) });
    },
    get({ challenge }) {
      const authenticatorData = authData(0);
      const clientDataJSON = clientData('webauthn.get', challenge);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return answer({ authenticatorData, clientDataJSON, signature });
    },
  };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
/** Encodes a text shorter than 24 bytes as CBOR. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
