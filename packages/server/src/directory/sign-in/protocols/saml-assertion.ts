import type { Element } from '@xmldom/xmldom';
import { childrenNamed, childrenOf, onlyChild, refuse, textOf } from './strict-xml.ts';

export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
/** A NameID that the provider makes up for each sign-in (SAML core 8.3.8). */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const KNOWN_CONDITIONS = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
export const CLOCK_SKEW_MS = 60_000;

/** The facts of an assertion whose signature was verified. */
export interface VerifiedAssertion {
  id: string;
  /** The request of ours. Null if the provider responds to none. */
  inResponseTo: string | null;
  nameId: string;
  /** The email address as the provider wrote it. */
  email: string;
  /** When the provider last authenticated the person. Null if it does not say so. */
  authenticatedAt: Date | null;
}

export interface AssertionExpectation {
  /** The identity provider. */
  entityId: string;
  /** Our entity id, the audience. */
  audience: string;
  /** Our assertion consumer service. */
  acsUrl: string;
  emailAttribute: string;
  now: Date;
  /** Whether the response must name a request of ours. */
  mustRespond: boolean;
}

/** Reads a signed assertion. Throws XmlRefusal unless it is meant for us and valid now (SAML profiles 4.1.4.3). */
export function readAssertion(assertion: Element, expected: AssertionExpectation): VerifiedAssertion {
  if (assertion.getAttribute('Version') !== '2.0') refuse('its assertion is not SAML 2.0');
  if (textOf(onlyChild(assertion, ASSERTION, 'Issuer')) !== expected.entityId)
    refuse('its assertion comes from another issuer');
  checkConditions(onlyChild(assertion, ASSERTION, 'Conditions'), expected);
  const statements = childrenNamed(assertion, ASSERTION, 'AuthnStatement');
  for (const statement of statements) {
    checkEnd(statement, 'SessionNotOnOrAfter', expected.now, 'the session at the provider has ended');
  }
  const subject = onlyChild(assertion, ASSERTION, 'Subject');
  const nameElement = onlyChild(subject, ASSERTION, 'NameID');
  const nameId = textOf(nameElement);
  if (nameId === '') refuse('its NameID is empty');
  if (nameElement.getAttribute('Format') === TRANSIENT)
    refuse(
      'its NameID is transient and does not say who signs in: let the provider send a persistent one or an email address',
    );
  return {
    id: assertion.getAttribute('ID') || refuse('its assertion has no ID'),
    inResponseTo: confirmedRequest(subject, expected),
    nameId,
    email: attributeOf(assertion, expected.emailAttribute) || nameId,
    authenticatedAt: authenticationOf(statements, expected.now),
  };
}

function checkConditions(conditions: Element, { audience, now }: AssertionExpectation) {
  requireEnd(conditions, now, 'its assertion has expired');
  checkStart(conditions, now);
  const unknown = childrenOf(conditions).find(({ localName }) => !KNOWN_CONDITIONS.has(localName ?? ''));
  if (unknown !== undefined) refuse(`its assertion has the unknown condition ${unknown.localName}`);
  const restrictions = childrenNamed(conditions, ASSERTION, 'AudienceRestriction');
  const isForUs = restrictions.every((restriction) =>
    childrenNamed(restriction, ASSERTION, 'Audience').some((one) => textOf(one) === audience),
  );
  if (restrictions.length === 0 || !isForUs) refuse('its assertion is meant for another audience');
}

/** Returns the id of the request to which the subject was confirmed. */
function confirmedRequest(
  subject: Element,
  { acsUrl, now, mustRespond }: AssertionExpectation,
): string | null {
  const confirmation = onlyChild(subject, ASSERTION, 'SubjectConfirmation');
  if (confirmation.getAttribute('Method') !== BEARER) refuse('its subject is not confirmed as bearer');
  const data = onlyChild(confirmation, ASSERTION, 'SubjectConfirmationData');
  if (data.getAttribute('Recipient') !== acsUrl) refuse('its subject is confirmed to another address');
  requireEnd(data, now, 'the confirmation of its subject has expired');
  checkStart(data, now);
  const request = data.getAttribute('InResponseTo') || null;
  if (request === null && mustRespond) refuse('its subject is not confirmed in response to a request');
  return request;
}

/**
 * Returns when the provider authenticated the person, at the earliest. Null if it does not say so in each statement, or names a time
 * in the future.
 */
function authenticationOf(statements: readonly Element[], now: Date): Date | null {
  const moments = statements.map((statement) => momentOf(statement, 'AuthnInstant') ?? Number.NaN);
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  return Number.isFinite(first) && last <= now.getTime() + CLOCK_SKEW_MS ? new Date(first) : null;
}

function attributeOf(assertion: Element, name: string): string | undefined {
  const found = childrenNamed(assertion, ASSERTION, 'AttributeStatement')
    .flatMap((statement) => childrenNamed(statement, ASSERTION, 'Attribute'))
    .filter((attribute) => attribute.getAttribute('Name') === name);
  if (found.length > 1) refuse(`it has the attribute ${name} twice`);
  const value = found[0] && childrenNamed(found[0], ASSERTION, 'AttributeValue')[0];
  return value === undefined ? undefined : textOf(value);
}

function requireEnd(element: Element, now: Date, reason: string) {
  if (!element.getAttribute('NotOnOrAfter')) refuse(`${element.localName} has no NotOnOrAfter`);
  checkEnd(element, 'NotOnOrAfter', now, reason);
}

function checkEnd(element: Element, name: string, now: Date, reason: string) {
  const end = momentOf(element, name);
  if (end !== undefined && now.getTime() >= end + CLOCK_SKEW_MS) refuse(reason);
}

function checkStart(element: Element, now: Date) {
  const start = momentOf(element, 'NotBefore');
  if (start !== undefined && now.getTime() < start - CLOCK_SKEW_MS) refuse('it is not valid yet');
}

function momentOf(element: Element, name: string): number | undefined {
  const text = element.getAttribute(name);
  if (text === null || text === '') return undefined;
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : NaN;
  return Number.isNaN(moment) ? refuse(`${name} is not a timestamp in UTC`) : moment;
}
