const SENTENCES: Record<string, string> = {
  unknown_person:
    'Nobody with the email address that you have there may sign in here. Ask an administrator to add you.',
  email_domain: 'This provider may not sign in people of your email domain.',
  email_not_verified: 'The provider has not verified your email address. Verify it there, and try again.',
  expired: 'That took too long, or was begun in another window. Try again.',
  refused: 'The provider refused to sign you in.',
  throttled: 'Too many sign-ins from your address have failed. Try again in 15 minutes.',
};

/** Why a provider sent somebody back, in our own words: whatever stands in the address is not shown. */
export function providerFailure(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return (
    SENTENCES[code] ?? 'The sign-in through the provider did not work. Try again, or ask an administrator.'
  );
}
