import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { FileDrop } from '../../kit/controls/file-drop.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { Sending } from './file-step.tsx';
import { appNameOf, FILES, uploads, uploadsOf } from './upload.ts';

/** Creates an app from a file of its accounts, and continues with the columns. `name` is that of the app; by default, the file has it. */
export function NewBySpreadsheet({ name }: { name?: string | undefined }) {
  const navigate = useNavigate();
  // A file that cannot be read leaves the app behind. The next one uses it.
  const created = useRef<string>(undefined);
  const start = useChange(
    async (file: File) => {
      const body = { name: name ?? appNameOf(file.name) };
      if (created.current === undefined)
        created.current = (await ok(api.POST('/api/v1/bridge/apps/', { body }))).id;
      else {
        const path = { app_id: created.current };
        await ok(api.PATCH('/api/apps/{app_id}/', { params: { path }, body }));
      }
      const appId = created.current;
      const { upload_id } = await uploads(uploadsOf(appId)).create(file);
      return { appId, upload: upload_id };
    },
    {
      showFailure: false,
      after: ({ appId, upload }) =>
        void navigate({ to: '/apps/$appId/upload', params: { appId }, search: { upload } }),
    },
  );
  return (
    <>
      <Text size="sm" mb="sm">
        {t`Choose a CSV file or an Excel workbook (.xlsx) with the accounts of one app, one in each row. Its first row names the columns.`}{' '}
        {name === undefined && t`The app gets the name of the file.`}
      </Text>
      <FormFailure of={start.error} />
      <FileDrop
        accept={FILES}
        action={t`Choose file`}
        hint={t`Or drop it here.`}
        pending={start.isPending}
        take={start.mutate}
      />
      <Sending file={start.isPending ? start.variables : undefined} />
    </>
  );
}
