import { crc32 } from 'node:zlib';
import { lettersOf } from './read/xlsx.ts';

/** A cell: a text, or its XML for what a text cannot say. */
export type XlsxCell = string | { xml: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org';
const MAIN = `xmlns="${OFFICE}/spreadsheetml/2006/main"`;

/** Writes a small workbook with one sheet. Its cells are texts, so that ids keep their zeros. */
export function writeXlsx(sheet: string, rows: readonly (readonly XlsxCell[])[], styles = ''): Buffer {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const relations = (list: string) =>
    `${HEAD}<Relationships xmlns="${OFFICE}/package/2006/relationships">${list}</Relationships>`;
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  return writeZip({
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${OFFICE}/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}` +
      `${part('worksheets/sheet1', 'worksheet')}${part('styles', 'styles')}</Types>`,
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml':
      `${HEAD}<workbook ${MAIN} xmlns:r="${OFFICE}/officeDocument/2006/relationships">` +
      `<sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('r1', 'worksheet', 'worksheets/sheet1.xml') + relation('r2', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}>${styles}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `${HEAD}<worksheet ${MAIN}><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  });
}

const rowXml = (cells: readonly XlsxCell[], row: number) =>
  `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, `${lettersOf(column)}${row + 1}`)).join('')}</row>`;

const cellXml = (cell: XlsxCell, address: string) =>
  typeof cell === 'string'
    ? `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
    : cell.xml.replace('<c', `<c r="${address}"`);

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Writes an archive without compression (APPNOTE.TXT of PKWARE, 4.3). */
function writeZip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const fields = fieldsOf(data, name);
    const local = Buffer.concat([uint32(0x04034b50), fields, Buffer.from(name), data]);
    const central = Buffer.concat([
      uint32(0x02014b50),
      uint16(20),
      fields,
      uint16(0, 0, 0),
      uint32(0, offset),
      Buffer.from(name),
    ]);
    parts.push(local);
    directory.push(central);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const count = directory.length;
  const end = [uint32(0x06054b50), uint16(0, 0, count, count), uint32(list.length, offset), uint16(0)];
  return Buffer.concat([...parts, list, ...end]);
}

/** The fields that the local header and the directory share: version, flags, method, time, day, checksum, sizes, lengths. */
const fieldsOf = (data: Buffer, name: string) =>
  Buffer.concat([
    uint16(20, 0x0800, 0, 0, 0x21),
    uint32(crc32(data), data.length, data.length),
    uint16(Buffer.byteLength(name), 0),
  ]);

const uint16 = (...values: number[]) => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
};
const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
};
