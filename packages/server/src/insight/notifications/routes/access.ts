import type { RouteTools } from '#kit/http.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import type { Mailer } from '../email/mailer.ts';

export interface NotificationTools extends RouteTools {
  secrets: Secrets;
  /** Undefined: emails are not configured. */
  mailer: Mailer | undefined;
  /** Whether channels may be on this machine, for development. */
  allowLoopback: () => boolean;
}

export const tag = 'Notifications';
/** The caller's own inbox and choices. An API key could have been transferred from another person. */
export const own = { access: { scope: 'session' } } as const;
export const managing = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
/** An address gets messages long after the session has ended, so that a step-up is needed to name one, or to show it more. */
export const creating = { access: { ...managing.access, stepUp: true } } as const;
export const redirecting = { access: { ...managing.access, stepUp: 'privileged' } } as const;
export const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
