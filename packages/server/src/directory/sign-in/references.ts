import { actor, id, type References, subject } from '#kit/database/references.ts';

/** A way to sign in. */
const signIn = { user_id: id(subject('stays', 'goes by key')) };

export const signInReferences: References = {
  sign_in_session: { columns: { user_id: id(subject('by endSessionsOfDeactivated', 'goes by key')) } },
  sign_in_account: { why: 'A merged person cannot sign in.', columns: signIn },
  sign_in_two_factor: { why: 'A merged person cannot sign in.', columns: signIn },
  sign_in_passkey: { why: 'A merged person cannot sign in.', columns: signIn },
  sign_in_provider: {
    why: 'The people who added and approved a provider are evidence.',
    columns: {
      user_id: id(actor('stays', 'clears')),
      approved_for_owners_by: id(actor('stays', 'clears')),
    },
  },
};
