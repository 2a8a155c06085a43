import { refusals } from '../../../kit/errors.ts';
import { sentences } from '../../../kit/sentences.ts';

/** What a signed-in person must do before the request. */
export const sessionSentences = sentences({
  passkey_required:
    'Your organization requires a passkey for the role {role}. Sign in with your passkey, or add one.',
  factor_required:
    'Your organization requires a second factor for the role {role}. Set one up, or sign in with a passkey.',
  factor_unproven: 'You already have a second factor. Confirm that it is you with it first.',
  page_of_another:
    'You are signed in as {name} now. This page was opened by somebody else, so nothing was changed. Reload the page, or sign in again as the person who opened it.',
});

export const sessionRefusals = refusals({
  invalid: {
    bad_page_person: 'Gatehouse-Person must be one UUID, the external_uuid of a person. Correct or omit it.',
  },
});
