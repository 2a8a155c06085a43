import { t } from '@lingui/core/macro';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { ChooseSettings } from './connection/choose-settings.tsx';
import { isElsewhere } from './connection/elsewhere.ts';
import { Setup } from './connection/setup.tsx';
import { SetupSteps, type Step } from './connection/setup-steps.tsx';
import { TypePicker } from './connection/type-picker.tsx';
import { newAppSearch } from './search.ts';

/** Connects an app step by step. Its address has the step, so that it can be continued later. */
export function NewAppPage() {
  const { manages, role } = useMe();
  const [at, go] = useAddress(newAppSearch);
  const { app, name, type } = at;
  const current: Step =
    app !== undefined && at.step !== undefined ? at.step : type === undefined ? 'type' : 'settings';
  return (
    <>
      <PageHeader title={t`Add app`} above={<TextLink to="/apps">{t`Apps`}</TextLink>} />
      {role !== undefined && !manages && (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can add apps.`}
        </Empty>
      )}
      {manages && (
        <>
          {!isElsewhere(type ?? '') && <SetupSteps current={current} />}
          {current === 'type' && <TypePicker pick={(next) => go({ type: next })} />}
          {current === 'settings' && (
            <ChooseSettings
              type={type ?? ''}
              appId={app}
              name={name}
              back={() => go({ type: undefined })}
              next={(id) => go({ app: id, step: 'test', type: undefined, name: undefined })}
            />
          )}
          {current !== 'type' && current !== 'settings' && app !== undefined && (
            <Setup appId={app} step={current} go={(step) => go({ step })} />
          )}
        </>
      )}
    </>
  );
}
