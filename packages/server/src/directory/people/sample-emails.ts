/** The domain of the people of a sample company. No mail can be sent there (RFC 2606), and nobody signs in from there. */
export const SAMPLE_DOMAIN = 'sample-company.test';

export const isSampleEmail = (email: string): boolean => email.toLowerCase().endsWith(`@${SAMPLE_DOMAIN}`);
