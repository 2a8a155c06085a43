import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../api/client.ts';
import { FileDrop } from '../../kit/controls/file-drop.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { type Target, uploads } from './upload.ts';

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
      <SpreadsheetDrop of={upload}>
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
      </SpreadsheetDrop>
    </Section>
  );
}

interface Sending {
  error: Error | null;
  isPending: boolean;
  variables: File | undefined;
  mutate: (file: File) => void;
}

/** Takes a spreadsheet, and shows that it is being sent, or why it was refused. */
export function SpreadsheetDrop({ of, children }: { of: Sending; children?: ReactNode }) {
  const { error, isPending, variables: file, mutate } = of;
  return (
    <>
      <FormFailure of={error} />
      <FileDrop
        accept=".csv,.txt,.tsv,.xlsx"
        action={t`Choose file`}
        hint={t`Or drop it here.`}
        pending={isPending}
        take={mutate}
      >
        {children}
      </FileDrop>
      <Text size="sm" mt="sm" role="status">
        {isPending &&
          file !== undefined &&
          t`${{ file: file.name }} is being sent and read. Gatehouse reads one file of an organization after the other, so this may take a few minutes.`}
      </Text>
    </>
  );
}
