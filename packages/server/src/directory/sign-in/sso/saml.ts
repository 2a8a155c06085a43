import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { notFound } from '#kit/errors.ts';
import { runInWorker } from '#kit/workers/pool.ts';
import type { SamlConfig } from '../protocols/provider-config.ts';
import type { ProviderRow } from '../protocols/queries/providers.ts';
import type { VerifiedResponse } from '../protocols/saml-response.ts';
import type { run as verifyInWorker } from '../protocols/saml-response.worker.ts';
import { signInRefusals } from '../sentences.ts';
import { samlAcsUrl } from '../visit/site.ts';
import type { Visit } from '../visit/visit.ts';

const LARGEST_RESPONSE_BYTES = 64 * 1024;
const LARGEST_REQUEST_BYTES = 64 * 1024;
const VERIFICATION_MS = 5000;

/** Makes the request in `url` ask the provider to authenticate the person again (SAML core 3.4.1). */
export function forceAuthentication(url: URL) {
  const request = requestIn(url).replace('<samlp:AuthnRequest ', '<samlp:AuthnRequest ForceAuthn="true" ');
  url.searchParams.set('SAMLRequest', deflateRawSync(request).toString('base64'));
}

function requestIn({ searchParams }: URL): string {
  const deflated = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64');
  return inflateRawSync(deflated, { maxOutputLength: LARGEST_REQUEST_BYTES }).toString();
}

/** Returns the id of the request in `url`. */
export function idOfRequest(url: URL): string {
  const id = /\sID="([^"]+)"/.exec(requestIn(url))?.[1];
  if (id === undefined) throw new Error('The SAML request has no ID.');
  return id;
}

/** Whether a response says that it responds to a request. Nothing is verified: this only chooses the words of a refusal. */
export const namesRequest = (xml: string): boolean => /\sInResponseTo\s*=\s*["'][^"']/.test(xml);

/** Throws 413 for a SAML response that is too large to be read. */
export function requireSize(base64: string) {
  if (base64.length > LARGEST_RESPONSE_BYTES * (4 / 3) + 4) throw signInRefusals.saml_response_too_large();
}

/** Decodes a SAML response. Throws 401 unless it is text in base64. */
export function decodeSamlResponse(base64: string): string {
  const compact = base64.replace(/\s+/g, '');
  try {
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(compact))
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(compact, 'base64'));
  } catch {
    // Not UTF-8.
  }
  throw signInRefusals.saml_response_not_text();
}

/**
 * Verifies a SAML response in a worker thread, since a hostile one can take long. Throws 401 with the reason. `mustRespond`: the
 * assertion must name a request of ours.
 */
export async function verifySamlResponse(
  visit: Visit,
  { provider_id, saml_config }: ProviderRow,
  xml: string,
  { mustRespond } = { mustRespond: true },
): Promise<VerifiedResponse> {
  if (saml_config === null) throw notFound('Sign-in provider');
  const config = JSON.parse(saml_config) as SamlConfig;
  const expected = {
    idpMetadata: config.idpMetadata.metadata ?? '',
    audience: config.issuer,
    acsUrl: samlAcsUrl(visit, provider_id),
    emailAttribute: config.mapping?.email ?? 'email',
    now: new Date(),
    mustRespond,
  };
  const file = new URL('../protocols/saml-response.worker.ts', import.meta.url);
  return runInWorker<typeof verifyInWorker>(file, { xml, expected }, { timeoutMs: VERIFICATION_MS });
}
