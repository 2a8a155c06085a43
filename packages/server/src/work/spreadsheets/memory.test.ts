// @module-tag long
import { crc32, deflateRawSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openCgroup } from '#test/cgroup.ts';
import { createTestDatabase } from '#test/database.ts';
import { startService } from '#test/service.ts';

const LIMIT_MEGABYTES = 768;
const OFFICE = 'http://schemas.openxmlformats.org';
const MAIN = `xmlns="${OFFICE}/spreadsheetml/2006/main"`;

/** A workbook of a few megabytes whose shared strings unpack to `megabytes`. Its cells use some of them. */
function workbook(megabytes: number): Buffer {
  const texts: string[] = [];
  const filler = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
  for (let n = 0; n * 128 < megabytes * 1024 * 1024; n++)
    texts.push(`<si><t>u${String(n).padStart(8, '0')}${filler}</t></si>`);
  const row = (number: number) =>
    `<row r="${number}"><c r="A${number}" t="s"><v>${number}</v></c><c r="B${number}" t="inlineStr"><is><t>u${number}@x.example</t></is></c></row>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  return zip({
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${texts.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${Array.from({ length: 100 }, (_, n) => row(n + 1)).join('')}</sheetData></worksheet>`,
  });
}

function zip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

test(`four workbooks with 127 MB of texts at the same time leave a server in ${LIMIT_MEGABYTES} MB alive`, async ({
  annotate,
  skip,
}) => {
  const cgroup = await openCgroup(LIMIT_MEGABYTES);
  if (cgroup === undefined) return skip('This user cannot create control groups. Run the test as root.');
  onTestFinished(cgroup.remove);
  const { options, remove } = await createTestDatabase();
  onTestFinished(remove);
  const service = await startService({
    database: options,
    environment: { GATEHOUSE_RATE_LIMITS: 'off' },
    command: cgroup.command(process.execPath, 'packages/server/src/main.ts'),
  });
  onTestFinished(service.kill);
  const headers = { authorization: `Api-Key ${service.key}` };
  const base = `${service.url}/org/acme`;
  const apps = `${base}/api/v1/bridge/apps/`;
  const json = { ...headers, 'content-type': 'application/json' };
  const created = await fetch(apps, { method: 'POST', headers: json, body: '{"name":"Large"}' });
  const { id } = (await created.json()) as { id: string };
  const file = new Uint8Array(workbook(127));

  const uploads = await Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
      const reply = await fetch(`${base}/api/apps/${id}/uploads/?file_name=large${n}.xlsx`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body: file,
      });
      return { status: reply.status, text: await reply.text() };
    }),
  );

  expect(uploads.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual([201, 201, 201, 201]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await annotate(`At most ${await cgroup.peakMegabytes()} MB of ${LIMIT_MEGABYTES}.`);
}, 300_000);
