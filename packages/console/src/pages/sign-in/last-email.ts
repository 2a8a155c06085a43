import { keep, readKept } from '../../kit/browser/kept.ts';

const KEY = 'gatehouse-email';

/** The email of the last sign-in in this tab, for the next one. Signing out forgets it. */
export const lastEmail = () => readKept<string>(KEY, 'tab');
export const keepEmail = (email: string) => keep(KEY, email, 'tab');
export const forgetEmail = () => keep(KEY, undefined, 'tab');
