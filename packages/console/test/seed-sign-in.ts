import { type Api, apiSignedIn } from './api.ts';
import { ADMIN, type Role, STAFF } from './seed-company.ts';

export const PASSWORD = 'correct horse battery staple';

/** Sets the passwords of the people who sign in, with one-time links. */
export async function letStaffIn(base: string, people: Record<string, string>) {
  const staff = {} as Record<Role, Api>;
  for (const [role, email] of Object.entries(STAFF) as [Role, string][]) {
    if (role !== 'owner') await setPassword(base, people[email] ?? '');
    staff[role] = await apiSignedIn(base, email, PASSWORD);
  }
  return staff;
}

/** Creates a one-time link for a person, as the owner does in the console. */
export async function signInLink(base: string, person: string): Promise<string> {
  const owner = await apiSignedIn(base, ADMIN, PASSWORD);
  return String((await owner.post(`/api/users/${person}/sign-in-link/`)).url);
}

export async function setPassword(base: string, person: string): Promise<void> {
  const url = await signInLink(base, person);
  const welcome = await fetch(`${base}/auth/welcome/`, {
    method: 'POST',
    headers: { origin: new URL(base).origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: url.split('#')[1], new_password: PASSWORD }),
  });
  if (!welcome.ok)
    throw new Error(`The one-time link was rejected: ${welcome.status} ${await welcome.text()}`);
}
