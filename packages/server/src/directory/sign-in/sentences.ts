import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

/** Steps that a signed-in person must take before the request. */
export const sessionSentences = sentences({
  passkey_required:
    'Your organization requires a passkey for the role {role}. Sign in with your passkey, or add one.',
  factor_required:
    'Your organization requires a second factor for the role {role}. Set one up, or sign in with a passkey.',
  factor_unproven: 'You already have a second factor. Confirm that it is you with it first.',
  page_of_another:
    'You are signed in as {name} now. This page was opened by somebody else, so nothing was changed. Reload the page, or sign in again as the person who opened it.',
});

export const signInRefusals = refusals({
  throttled: {
    address_throttled: 'Too many failed sign-ins from this address. Expected available in {seconds} seconds.',
    email_throttled:
      'Too many failed sign-ins with this email address. Expected available in {seconds} seconds.',
    wrong_codes_throttled: 'Too many wrong codes. Try again in 15 minutes.',
  },
  unavailable: {
    breached_passwords_unreadable:
      'The list of breached passwords cannot be read. Ask the operator to check GATEHOUSE_BREACHED_PASSWORDS.',
  },
  invalid: {
    bad_page_person: 'Gatehouse-Person must be one UUID, the external_uuid of a person. Correct or omit it.',
    password_breached:
      'This password is in a list of passwords from data breaches. Choose another one, such as four random words.',
    confirm_with_one_proof: 'Give exactly one of password, code and response.',
    no_one_time_codes: 'You have no one-time codes. Use your password or a passkey.',
    passkey_unverified: 'The passkey could not be verified. Try again.',
    person_deactivated: 'This person is deactivated and cannot sign in. Reactivate them first.',
    password_length: 'Choose a password of {least} to {most} characters.',
    password_is_known_name:
      'This password contains your name, your email address or the name of the organization. Choose another one, such as four random words.',
    password_guessable:
      'This password is common or easy to guess. Choose a longer one, such as four random words.',
    no_password: 'You have no password. Ask an administrator for a link to set one.',
    oidc_without_openid: 'oidc.scopes must include openid.',
    provider_address_not_https: '{url} is not an https address. Providers must use https.',
    provider_metadata_unreadable:
      'The metadata of these settings cannot be read: {reason}. Check saml.entity_id and saml.sso_url.',
    saml_settings_missing: 'Give saml.idp_metadata, or saml.entity_id, saml.sso_url and saml.certificate.',
    provider_id_reserved: 'The id {id} is reserved. Choose another one.',
    provider_type_fixed: "A provider's type cannot be changed. Add another provider instead.",
    trusts_email_only_oidc: 'trusts_email applies to OpenID Connect providers only.',
    provider_oidc_or_saml: 'Send `oidc` or `saml`, not both.',
    client_secret_missing: 'Field required (oidc.client_secret)',
    saml_response_missing: 'Field required (SAMLResponse)',
    sign_in_request_refused: 'The request was refused.',
    passkeys_need_name: 'Passkeys require a host name, and {hostname} is an IP address.',
    passkeys_need_localhost:
      'Passkeys require a host name, and {hostname} is an IP address. Open {address} instead.',
    passkeys_need_https: 'Passkeys require https, and {origin} is opened without it.',
    provider_unreadable: "The provider's configuration could not be read: {reason}",
    saml_certificate_refused: 'saml.certificate: {reason}.',
    saml_metadata_refused:
      'saml.idp_metadata must contain a sign-in service with the HTTP-Redirect binding, and a certificate: {reason}.',
    provider_unavailable: 'The provider is not available at the moment. Try again later.',
  },
  forbidden: {
    passkey_not_yours: 'This passkey is not yours, or it could not be verified.',
    another_site: 'This request comes from another site.',
    current_password_incorrect: 'The current password is incorrect.',
    own_sign_in: 'You cannot manage your own sign-in here. Use your profile, or ask another administrator.',
    owner_manages_owner_sign_in: 'Only an owner can manage how an owner signs in.',
    owner_manages_admin_sign_in: 'Only an owner can manage how an administrator signs in.',
    owner_manages_auditor_sign_in: 'Only an owner can manage how an auditor signs in.',
    owner_manages_member_sign_in:
      'Only an owner can manage how somebody who was an owner, administrator or auditor signs in.',
    code_incorrect: 'The code is incorrect.',
    code_of_wrong_clock:
      "The code is incorrect: your phone's clock is about {minutes, plural, one {a minute} other {# minutes}} off. Let the phone set its time by itself, then enter a new code.",
    sign_in_address_embedded:
      'This address starts a sign-in. Open it as a page of its own, not inside another page.',
  },
  unauthenticated: {
    wrong_password: 'Wrong email address or password.',
    sign_in_code_incorrect: 'The code is incorrect.',
    password_again: 'Sign in with your password again.',
    passkey_unknown: 'This passkey is unknown or could not be verified.',
    saml_response_unverified: "The provider's response could not be verified: {reason}.",
    link_invalid:
      'This link is invalid, was already used, or has expired. Ask an administrator for a new one.',
    saml_response_not_text: "The provider's response could not be verified: it is not text.",
    code_already_used:
      'This code was already used. Wait for the next one, and sign in with your password again.',
  },
  taken: {
    provider_id_taken: 'A sign-in provider with the id {id} already exists.',
  },
  conflict: {
    emails_not_configured:
      'Emails are not configured, so Gatehouse cannot send the link. Create a sign-in link and pass it on yourself.',
    emails_configured:
      'Emails are configured, so the link goes to the mailbox of the person only. Send it by email instead.',
    sample_person_cannot_sign_in: '{email} belongs to the sample company. Its people cannot sign in.',
    link_before_first_day:
      '{email} starts on {day}. Only an owner can create a sign-in link before, with confirm: true.',
    link_after_last_day:
      'The last day of {email} was {day}. Only an owner can create a sign-in link now, with confirm: true.',
    second_factor_exists: 'You already have a second factor. Remove it first.',
    second_factor_unconfirmable: 'You have no second factor to confirm.',
  },
  too_large: {
    saml_response_too_large: 'The SAML response is larger than 64 KB.',
  },
});
