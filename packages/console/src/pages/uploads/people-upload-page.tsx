import { t } from '@lingui/core/macro';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { ImportChanges } from '../people/import-changes.tsx';
import { PeopleOwn } from './ownership.tsx';
import { PERSON_FIELDS } from './upload.ts';
import { UploadWizard } from './wizard.tsx';

const target = { path: '/api/users/uploads/', kind: 'people', fields: PERSON_FIELDS } as const;

/** Imports people from a spreadsheet. */
export function PeopleUploadPage() {
  const { manages } = useMe();
  return (
    <>
      <PageHeader title={t`Import people`} above={<TextLink to="/people">{t`People`}</TextLink>} />
      {manages ? (
        <UploadWizard
          target={target}
          plan={({ result }) => result !== null && <ImportChanges outcome={result} />}
          after={() => <PeopleOwn />}
          done={() => <ButtonLink to="/people" variant="default">{t`Show people`}</ButtonLink>}
        />
      ) : (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can import people.`}
        </Empty>
      )}
    </>
  );
}
