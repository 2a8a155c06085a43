import { t } from '@lingui/core/macro';
import { Button, Group, Menu } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { notifyFailure } from '../../api/client.ts';
import { Empty } from '../controls/empty.tsx';
import { IconChartBar, IconDownload, IconTable } from '../icons/icons.ts';
import { type Column, TableView } from '../table/table-view.tsx';
import { saveCsv } from '../text/csv.ts';
import { savePng, saveSvg } from './drawing-file.ts';
import classes from './picture.module.css';

interface Props<T> {
  /** The name of the picture and of its table: "Licenses in the last 12 months". */
  label: string;
  /** A sentence that describes the picture to people who do not see it. */
  summary: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  /** The file name of an export, without its ending. */
  file: string;
  /** Draws the rows: a chart of @mantine/charts or an svg. It gets the focus and the name from here. */
  children: ReactNode;
  /** Whether the drawing has links, or scrolls. It is then a group whose parts are read, and not one image. */
  interactive?: boolean;
  /** An svg of the same data, for the export of a picture that is not an svg itself, or not on every screen. */
  exported?: ReactNode;
  /** The address of all rows as CSV, if the picture has only a part of them. */
  csvHref?: string;
  /** Whether the table is shown, where the address of the page keeps that. */
  table?: { shown: boolean; show: (shown: boolean) => void };
}

/** A picture of data, with its table behind it and an export of both. Load it with `lazy`, because charts are large. */
export function Picture<T extends object>({
  label,
  summary,
  columns,
  rows,
  rowId,
  file,
  children,
  interactive = false,
  exported,
  csvHref,
  table,
}: Props<T>) {
  const [isTableHere, setIsTableHere] = useState(false);
  const isTable = table?.shown ?? isTableHere;
  const setIsTable = table?.show ?? setIsTableHere;
  const [isExporting, setIsExporting] = useState(false);
  const copy = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  const about = useId();
  const saveRows = () => void saveCsv(file, columns, asyncOf(rows)).catch(notifyFailure);
  const saveAs = (saveDrawing: typeof saveSvg | typeof savePng) => {
    if (exported !== undefined) flushSync(() => setIsExporting(true));
    const svg = (copy.current ?? drawing.current)?.querySelector('svg');
    if (svg) void saveDrawing(file, { svg, title: label, caption: summary }).catch(notifyFailure);
    setIsExporting(false);
  };
  return (
    <figure className={classes.picture} aria-label={label}>
      <Group justify="flex-end" gap="xs" mb="xs">
        <Button
          variant="subtle"
          leftSection={isTable ? <IconChartBar size={15} aria-hidden /> : <IconTable size={15} aria-hidden />}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? t`Show picture` : t`Show table`}
        </Button>
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="subtle" leftSection={<IconDownload size={15} aria-hidden />}>
              {t`Export`}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {csvHref === undefined ? (
              <Menu.Item onClick={saveRows}>{t`Table as CSV`}</Menu.Item>
            ) : (
              <Menu.Item component="a" href={csvHref} download>
                {t`Table as CSV`}
              </Menu.Item>
            )}
            <Menu.Item disabled={isTable && exported === undefined} onClick={() => saveAs(savePng)}>
              {t`Picture as PNG`}
            </Menu.Item>
            <Menu.Item disabled={isTable && exported === undefined} onClick={() => saveAs(saveSvg)}>
              {t`Picture as SVG`}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {isTable ? (
        <TableView
          label={label}
          columns={columns}
          rows={rows}
          rowId={rowId}
          empty={<Empty title={t`No data`} />}
        />
      ) : (
        <div ref={drawing} className={classes.drawing}>
          {interactive ? (
            <section aria-label={label} aria-describedby={about}>
              {children}
            </section>
          ) : (
            <div role="img" aria-label={label} aria-describedby={about}>
              {children}
            </div>
          )}
        </div>
      )}
      {isExporting && (
        <div ref={copy} hidden>
          {exported}
        </div>
      )}
      <figcaption id={about}>{summary}</figcaption>
    </figure>
  );
}

async function* asyncOf<T>(rows: readonly T[]) {
  yield* rows;
}
