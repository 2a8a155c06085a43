import { type Api, apiSignedIn } from './api.ts';
import { ADMIN, STAFF } from './seed-company.ts';

export const PASSWORD = 'correct horse battery staple';

/** Sets the passwords of the people who sign in, with one-time links that the owner creates. */
export async function letStaffIn(base: string, owner: Api, people: Record<string, string>): Promise<void> {
  const { owner: _, ...others } = STAFF;
  await Promise.all(
    Object.values(others).map(async (email) =>
      usePasswordLink(base, await createLink(owner, people[email] ?? '')),
    ),
  );
}

/** Signs in those who decide about requests and reviews in the seed. */
export async function signInDeciders(base: string): Promise<Record<'admin' | 'manager' | 'member', Api>> {
  const [admin, manager, member] = await Promise.all(
    [STAFF.admin, STAFF.manager, STAFF.member].map((email) => apiSignedIn(base, email, PASSWORD)),
  );
  return { admin, manager, member } as Record<'admin' | 'manager' | 'member', Api>;
}

const createLink = async (owner: Api, person: string): Promise<string> =>
  String((await owner.post(`/api/users/${person}/sign-in-link/`)).url);

/** Creates a one-time link for a person, as the owner does in the console. */
export const signInLink = async (base: string, person: string): Promise<string> =>
  createLink(await apiSignedIn(base, ADMIN, PASSWORD), person);

export const setPassword = async (base: string, person: string): Promise<void> =>
  usePasswordLink(base, await signInLink(base, person));

async function usePasswordLink(base: string, url: string): Promise<void> {
  const welcome = await fetch(`${base}/auth/welcome/`, {
    method: 'POST',
    headers: { origin: new URL(base).origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: url.split('#')[1], new_password: PASSWORD }),
  });
  if (!welcome.ok)
    throw new Error(`The one-time link was rejected: ${welcome.status} ${await welcome.text()}`);
}
