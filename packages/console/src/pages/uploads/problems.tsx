import { plural, t } from '@lingui/core/macro';
import { Alert, Anchor, Text } from '@mantine/core';
import { grouped } from '../../kit/text/words.ts';
import { serverText } from '../../language/server-text.ts';
import { type Target, type Upload, uploads } from './upload.ts';
import classes from './uploads.module.css';

/** The problems of the rows, with the reason of each. */
export function Problems({ target, upload }: { target: Target; upload: Upload }) {
  const { problems, upload_id } = upload;
  const problemCount = upload.problem_count ?? 0;
  const rowCount = upload.rows ?? 0;
  return (
    <>
      <Alert
        color="red"
        role="alert"
        mb="sm"
        title={t`${plural(problemCount, { one: '# problem', other: '# problems' })} in ${plural(rowCount, { one: '# row', other: '# rows' })}`}
      >
        {t`Nothing was changed. Correct the file and upload it again, or choose other columns below.`}{' '}
        {target.kind === 'accounts' &&
          t`Do not delete these rows: applying a file without them would remove their accounts.`}
      </Alert>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <section className={classes.rows} tabIndex={0} aria-label={t`Problems`}>
        <table>
          <thead>
            <tr>
              <th>{t`Row`}</th>
              <th>{t`Column`}</th>
              <th>{t`Value`}</th>
              <th>{t`Problem`}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, value, message, ...said }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and a row can have two problems.
              <tr key={index}>
                <td>{grouped(row)}</td>
                <td>{column}</td>
                <td>{value}</td>
                <td>{serverText({ ...said, text: message })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Text size="sm" mt="xs" mb="lg">
        <Anchor size="sm" href={uploads(target).problemsAddress(upload_id)} download>
          {t`Download all problems`}
        </Anchor>
      </Text>
    </>
  );
}
