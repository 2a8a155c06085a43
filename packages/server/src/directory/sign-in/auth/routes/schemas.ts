import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../password-policy.ts';

export const tag = 'Sign-in';

/** Operations that need no sign-in. */
export const open = { access: 'public' } as const;
/** Operations of a signed-in person on their own sign-in. API keys cannot call them. */
export const own = { access: { scope: 'session' } } as const;
/** Changes of the own sign-in. */
export const changeOwn = { access: { scope: 'session', stepUp: true } } as const;
/** The same, also while a second factor is required and missing. */
export const ownWithoutFactor = { ...own, allowsMissingFactor: true } as const;
export const changeOwnWithoutFactor = { ...changeOwn, allowsMissingFactor: true } as const;
/** The access rule for reading and ending parts of another person's sign-in as an administrator. It gives nobody power. */
export const oversee = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
/** Changes of another person's sign-in. Their power could be had with it, so only signed-in people make them. */
export const administer = { access: { scope: 'session', roles: ['owner', 'admin'], stepUp: true } } as const;

export const Email = Type.String({ minLength: 1, maxLength: 254 });
export const Password = Type.String({ minLength: 1, maxLength: 128 });
export const NewPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
  description: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, neither common nor made of the person's own data.`,
});
export const Code = Type.String({ minLength: 1, maxLength: 32 });
export const PersonParams = { user_id: Uuid };
export const ProviderParams = { provider: Type.String() };
