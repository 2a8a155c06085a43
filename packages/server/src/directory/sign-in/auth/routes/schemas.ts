import { Type } from 'typebox';
import { operations, resource } from '#kit/http.ts';
import { identityOf } from '#kit/identity.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../password-policy.ts';

export const tag = 'Sign-in';
export const path = '/auth/';

/** Operations that need no sign-in. */
export const open = { access: 'public' } as const;
/** Operations of a signed-in person on their own sign-in. API keys cannot call them. */
export const own = { access: { scope: 'session' } } as const;
/** Changes of the own sign-in. */
const changeOwn = { access: { scope: 'session', stepUp: true } } as const;
/** The same, also while a second factor is required and missing. */
export const ownWithoutFactor = { ...own, allowsMissingFactor: true } as const;
export const changeOwnWithoutFactor = { ...changeOwn, allowsMissingFactor: true } as const;
/** The access rule for reading and ending parts of another person's sign-in as an administrator. It gives nobody power. */
export const oversee = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
/** Changes of another person's sign-in. Their power could be had with it, so only signed-in people make them. */
const administer = { access: { scope: 'session', roles: ['owner', 'admin'], stepUp: true } } as const;

/** Operations of signed-in people on their own sign-in. */
export const ownSignIn = operations({ path, tag, reading: own, managing: changeOwn });

/** Operations of administrators on the sign-in of a person. Finds the person before the body is read (D6). */
export const { one: person } = resource({
  path: '/api/users/',
  tag,
  reading: oversee,
  managing: administer,
  id: 'user_id',
  find: identityOf,
  schema: Type.Null(),
  view: () => null,
});

export const Email = Type.String({ minLength: 1, maxLength: 254 });
export const Password = Type.String({ minLength: 1, maxLength: 128 });
export const NewPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
  description: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, neither common nor made of the person's own data.`,
});
export const Code = Type.String({ minLength: 1, maxLength: 32 });
export const ProviderParams = { provider: Type.String() };
