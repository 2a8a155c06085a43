import { describe, expect, test } from 'vitest';
import { requireStrongPassword } from './password-policy.ts';

const PERSON = {
  email: 'ada.lovelace@acme.example',
  username: 'ada.lovelace@acme.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
};
const ORGANIZATION = { slug: 'acme', name: 'Acme Analytical Engines' };
const check = (password: string) => requireStrongPassword(password, PERSON, ORGANIZATION);

test.each([
  'correct horse battery staple',
  'Xk3vQ9sLm2pW',
  'wolf-river-stone',
  'vier zufällige Wörter hier',
  '青い山と白い雲と静かな海辺の道',
])('accepts %s', async (password) => {
  await expect(check(password)).resolves.toBeUndefined();
});

test.each([
  ['short', /12 to 128 characters/],
  ['x'.repeat(129), /12 to 128 characters/],
  ['password1234', /common or easy to guess/],
  ['qwertyuiop12', /common or easy to guess/],
  ['aaaaaaaaaaaaaaaa', /common or easy to guess/],
  ['iloveyou123456', /common or easy to guess/],
  ['adalovelace1815', /contains your name/],
  ['Lovelace-Ada-1815', /contains your name/],
  ['acmeanalyticalengines', /contains your name/],
])('refuses %s', async (password, reason) => {
  await expect(check(password)).rejects.toThrow(reason);
});

describe('the check of the longest password', () => {
  // In time of the processor, since other work delays this process.
  test.each(['4@8({[<369&#!1/|0$5+7%2', 'a1', 'ab1!', 'password', '01/02/1990'])(
    'made of %s stays under 250 ms',
    async (letters) => {
      await check('correct horse battery staple');
      const password = letters.repeat(128).slice(0, 128);
      const start = process.cpuUsage();
      await check(password).catch(() => undefined);
      const { user, system } = process.cpuUsage(start);

      expect((user + system) / 1000).toBeLessThan(250);
    },
  );
});
