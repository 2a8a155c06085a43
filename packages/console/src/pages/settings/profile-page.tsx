import { t } from '@lingui/core/macro';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { personName } from '../../kit/text/words.ts';
import { Absences } from '../../people/absences.tsx';
import { labelOf } from '../../people/labels.ts';
import { MyPasskeys } from '../people/passkeys.tsx';
import { MyProviderLinks } from '../people/provider-links.tsx';
import { MyPassword } from './my-password.tsx';
import { MySecondFactor } from './my-second-factor.tsx';
import { MySessions } from './my-sessions.tsx';
import classes from './settings.module.css';

/** How the signed-in person signs in, and their sessions. */
export function ProfilePage() {
  const { me } = useMe();
  return (
    <>
      <PageHeader title={t`My profile`} about={t`Your sign-in methods, sessions and absences.`} />
      {me !== undefined && (
        <>
          <div className={classes.narrow}>
            <Section title={t`Details`}>
              <Properties
                of={[
                  [t`Name`, personName(me)],
                  [t`Email`, me.email],
                  [t`Role`, labelOf(me.role)],
                  [
                    t`Notifications`,
                    <TextLink key="notifications" to="/settings/notifications">
                      {t`Choose what you get, and when`}
                    </TextLink>,
                  ],
                ]}
              />
            </Section>
            <MyPassword has={me.has_password === true} />
            <MySecondFactor on={me.second_factor === true} hasPassword={me.has_password === true} />
          </div>
          <Absences userId={me.external_uuid} changes={me.role !== 'auditor'} />
          <MyPasskeys />
          <MyProviderLinks />
          <MySessions />
        </>
      )}
    </>
  );
}
