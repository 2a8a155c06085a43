import { useMe } from '../../api/me.ts';
import { Absences } from '../../parts/absences.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { personName } from '../../parts/words.ts';
import { MyPasskeys } from './my-passkeys.tsx';
import { MyPassword } from './my-password.tsx';
import { MySecondFactor } from './my-second-factor.tsx';
import { MySessions } from './my-sessions.tsx';
import classes from './settings.module.css';

/** How the signed-in person signs in, and their sessions. */
export function ProfilePage() {
  const { me } = useMe();
  return (
    <>
      <PageHeader title="My profile" about="Your sign-in methods, sessions and absences." />
      {me !== undefined && (
        <>
          <div className={classes.narrow}>
            <Section title="Details">
              <Properties
                of={[
                  ['Name', personName(me)],
                  ['Email', me.email],
                  ['Role', me.role],
                  [
                    'Notifications',
                    <TextLink key="notifications" to="/settings/notifications">
                      Choose what you get, and when
                    </TextLink>,
                  ],
                ]}
              />
            </Section>
            <MyPassword has={me.has_password} />
            <MySecondFactor on={me.second_factor} hasPassword={me.has_password} />
          </div>
          <Absences userId={me.external_uuid} changes={me.role !== 'auditor'} />
          <MyPasskeys />
          <MySessions />
        </>
      )}
    </>
  );
}
