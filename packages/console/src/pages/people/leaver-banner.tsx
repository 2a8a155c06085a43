import { plural, t } from '@lingui/core/macro';
import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { IconUserOff } from '../../kit/icons/icons.ts';
import { personName } from '../../kit/text/words.ts';
import { formatTag } from '../../language/language.ts';
import { deletionIn, RemovalState } from '../../tasks/under-way.tsx';

type Leaver = Item<'/api/users/leavers/'>;

/** Reads the person if they have left and still have accounts. Only roles that may read people ask. */
function useLeaver(user: string | null): Leaver | undefined {
  const { readsAll } = useMe();
  const { data } = useQuery({
    ...get('/api/users/leavers/', { query: { user: user ?? '', limit: 1 } }),
    enabled: readsAll && user !== null,
  });
  return data?.results[0];
}

const local = new Intl.DateTimeFormat(formatTag, { dateStyle: 'long' });
const calendar = new Intl.DateTimeFormat(formatTag, { dateStyle: 'long', timeZone: 'UTC' });

/** "March 3, 2026", or undefined if it is not on record. */
function leftOn({ inactive_since, end_date }: Leaver): string | undefined {
  if (inactive_since !== null) return local.format(new Date(inactive_since));
  return end_date === null ? undefined : calendar.format(new Date(end_date));
}

/** "Jane Doe left on March 3, 2026 and still has 2 active accounts" */
function personSentence(leaver: Leaver): string {
  const person = personName(leaver);
  const date = leftOn(leaver);
  const { length: all } = leaver.accounts;
  const { length: active } = leaver.accounts.filter(({ status }) => status !== 'SUSPENDED');
  if (active === 0)
    return date === undefined
      ? t`${person} has left and still has ${plural(all, { one: '# suspended account', other: '# suspended accounts' })}`
      : t`${person} left on ${date} and still has ${plural(all, { one: '# suspended account', other: '# suspended accounts' })}`;
  return date === undefined
    ? t`${person} has left and still has ${plural(active, { one: '# active account', other: '# active accounts' })}`
    : t`${person} left on ${date} and still has ${plural(active, { one: '# active account', other: '# active accounts' })}`;
}

/** Warns on the page of a person who has left and still has accounts. */
export function LeaverBanner({ userId }: { userId: string }) {
  const leaver = useLeaver(userId);
  const { manages } = useMe();
  if (leaver === undefined) return null;
  return (
    <Alert color="yellow" icon={<IconUserOff aria-hidden />} title={personSentence(leaver)} mb="md">
      <Group gap="md">
        {manages && leaver.accounts.some(({ removals }) => deletionIn(removals) === undefined) && (
          <TextLink to="/people/$userId" params={{ userId }} search={{ ask: 'offboard' }}>
            {t`Offboard`}
          </TextLink>
        )}
        <TextLink to="/accounts" search={{ user: userId, of_leavers: true }}>
          {manages ? t`Suspend or delete these accounts` : t`Show these accounts`}
        </TextLink>
      </Group>
    </Alert>
  );
}

/** Warns on the page of an account whose person has left. */
export function LeaverAccountBanner({ userId, accountId }: { userId: string | null; accountId: string }) {
  const leaver = useLeaver(userId);
  const account = leaver?.accounts.find(({ external_uuid }) => external_uuid === accountId);
  if (leaver === undefined || account === undefined) return null;
  return (
    <Alert color="yellow" icon={<IconUserOff aria-hidden />} title={accountSentence(leaver, account)} mb="md">
      {account.removals.map((removal) => (
        <div key={removal.task}>
          <RemovalState of={removal} />
        </div>
      ))}
      <TextLink to="/people/$userId" params={{ userId: leaver.external_uuid }}>
        {t`Show the person and their accounts`}
      </TextLink>
    </Alert>
  );
}

/** "Jane Doe left on March 3, 2026, and this account is still active" */
function accountSentence(leaver: Leaver, { status }: Leaver['accounts'][number]): string {
  const person = personName(leaver);
  const date = leftOn(leaver);
  if (status === 'SUSPENDED')
    return date === undefined
      ? t`${person} has left, and this account is suspended but not deleted`
      : t`${person} left on ${date}, and this account is suspended but not deleted`;
  return date === undefined
    ? t`${person} has left, and this account is still active`
    : t`${person} left on ${date}, and this account is still active`;
}
