import { t } from '@lingui/core/macro';
import { Button, Group, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { type Me, meQuery } from '../../api/me.ts';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { labelOf } from '../../people/labels.ts';
import { PasskeyProof } from '../../sign-in/confirmation-dialog.tsx';
import { MyPasskeys } from '../people/passkeys.tsx';
import { MySecondFactor } from './my-second-factor.tsx';
import classes from './settings.module.css';

/**
 * Replaces every page until a person whose role requires a second factor has one. Stays until they continue, because
 * the backup codes appear only once.
 */
export function RequiredFactor({ me, done }: { me: Me; done: () => void }) {
  const client = useQueryClient();
  const passkeys = useQuery(get('/auth/passkeys/'));
  const role = labelOf(me.role);
  const isMissing = me.second_factor_required;
  if (isMissing && passkeys.isPending) return <Skeleton height={240} />;
  const hasPasskey = passkeys.data !== undefined && passkeys.data.results.length > 0;
  if (isMissing && hasPasskey) {
    return (
      <>
        <PageHeader
          title={t`Confirm with your passkey`}
          about={
            me.passkey_required
              ? t`Your organization requires a passkey for the role ${role}.`
              : t`Your organization requires a second factor for the role ${role}.`
          }
        />
        <Group>
          <PasskeyProof after={() => void client.invalidateQueries({ queryKey: meQuery.queryKey })} />
        </Group>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={me.passkey_required ? t`Add a passkey` : t`Set up a second factor`}
        about={
          me.passkey_required
            ? t`Your organization requires a passkey for the role ${role}.`
            : t`Your organization requires a second factor for the role ${role}. Choose one-time codes or a passkey.`
        }
        actions={!isMissing && <Button onClick={done}>{t`Continue`}</Button>}
      />
      {!me.passkey_required && (
        <div className={classes.narrow}>
          <MySecondFactor on={me.second_factor === true} hasPassword={me.has_password === true} />
        </div>
      )}
      <MyPasskeys />
    </>
  );
}
