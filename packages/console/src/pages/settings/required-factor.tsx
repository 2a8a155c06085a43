import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { type Me, meQuery } from '../../api/me.ts';
import { PasskeyProof } from '../../parts/confirmation.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { MyPasskeys } from './my-passkeys.tsx';
import { MySecondFactor } from './my-second-factor.tsx';
import classes from './settings.module.css';

/**
 * Replaces every page until a person whose role requires a second factor has one. Stays until they continue, because
 * the backup codes appear only once.
 */
export function RequiredFactor({ me, done }: { me: Me; done: () => void }) {
  const client = useQueryClient();
  const passkeys = useQuery(get('/auth/passkeys/'));
  const isMissing = me.second_factor_required;
  const hasPasskey = (passkeys.data?.results.length ?? 0) > 0;
  if (isMissing && hasPasskey) {
    return (
      <>
        <PageHeader
          title="Confirm with your passkey"
          about={`Your organization requires a second factor for the role ${me.role}.`}
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
        title="Set up a second factor"
        about={`Your organization requires a second factor for the role ${me.role}. Choose one-time codes or a passkey.`}
        actions={!isMissing && <Button onClick={done}>Continue</Button>}
      />
      <div className={classes.narrow}>
        <MySecondFactor on={me.second_factor} hasPassword={me.has_password} />
      </div>
      <MyPasskeys />
    </>
  );
}
