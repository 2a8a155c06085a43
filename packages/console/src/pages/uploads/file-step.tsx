import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { useChange } from '../../api/client.ts';
import { FileDrop } from '../../kit/controls/file-drop.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { FILES, type Target, uploads } from './upload.ts';

/** Chooses a file and uploads it. */
export function FileStep({ target, open }: { target: Target; open: (id: string) => void }) {
  const { create, sampleAddress } = uploads(target);
  const upload = useChange(create, { showFailure: false, after: ({ upload_id }) => open(upload_id) });
  return (
    <Section title={t`File`}>
      <Text size="sm" mb="sm">
        {t`Choose a CSV file or an Excel workbook (.xlsx) of at most 64 MB. Its first row names the columns.`}{' '}
        {target.kind === 'accounts'
          ? t`The file must list all accounts of the app: applying it removes every account that is not listed.`
          : t`People are found by their email. People who are not in the file stay as they are.`}
      </Text>
      <FormFailure of={upload.error} />
      <FileDrop
        accept={FILES}
        action={t`Choose file`}
        hint={t`Or drop it here.`}
        pending={upload.isPending}
        take={upload.mutate}
      >
        <Text size="sm">
          <Trans>
            Sample:{' '}
            <Anchor size="sm" underline="always" href={sampleAddress('csv')} download>
              CSV
            </Anchor>
            ,{' '}
            <Anchor size="sm" underline="always" href={sampleAddress('xlsx')} download>
              Excel
            </Anchor>
          </Trans>
        </Text>
      </FileDrop>
      <Sending file={upload.isPending ? upload.variables : undefined} />
    </Section>
  );
}

/** Says that a file is being sent, which can take long. */
export function Sending({ file }: { file: File | undefined }) {
  return (
    <Text size="sm" mt="sm" role="status">
      {file !== undefined &&
        t`${{ file: file.name }} is being sent and read. Gatehouse reads one file of an organization after the other, so this may take a few minutes.`}
    </Text>
  );
}
