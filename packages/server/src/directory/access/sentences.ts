import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

/** In what a key exceeds the calling key. */
export const keySentences = sentences({
  key_lacks_scopes: 'It does not have the scopes {missing}.',
  key_expires_earlier: 'It expires at {time}, so the new key must not expire later.',
  key_has_fewer_apps: 'It is limited to listed apps, and the other key has more.',
});

export const accessRefusals = refusals({
  invalid: {
    key_expires_in_past:
      'expires_at is in the past. Give a future time, or null for a key that never expires.',
    time_zone_unknown: '"{name}" is not a time zone (time_zone). Use an IANA name such as Europe/Berlin.',
  },
  forbidden: {
    key_revokes_exceeding_key: 'This key cannot revoke a key that exceeds it. {excess}',
    owner_revokes_owner_key: "Only an owner can revoke an owner's key.",
    owner_transfers_owner_key: 'Only an owner can transfer a key from or to an owner.',
    key_creates_exceeding_key: 'This key cannot create a key that exceeds it. {excess}',
    owner_changes_field: 'Only an owner can change {field}.',
    keys_cannot_change_field: 'API keys cannot change {field}. Sign in to the console instead.',
  },
  conflict: {
    sample_being_created: 'The sample company is being created. Try again in a minute.',
    sample_being_removed:
      'The sample company is being removed. If it still exists in a minute, remove it again.',
    key_ended: '{name} was revoked or has expired. Create a new key instead.',
    key_holder_deactivated:
      '{email} is deactivated, so this key has stopped working. Create a new key instead.',
    key_receiver_deactivated: '{email} is deactivated. Choose an active person.',
    person_has_keys: 'API keys act for this person: {names}. Revoke or transfer them first.',
    passkey_use_required: 'Sign in with a passkey first. This shows that passkeys work at this address.',
  },
  throttled: {
    request_throttled: 'Request was throttled. Expected available in {wait} seconds.',
  },
  not_found: {
    organization_unknown: 'The organization {slug} does not exist. Check the slug.',
  },
});
