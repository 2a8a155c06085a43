import { beforeAll, test } from 'vitest';
import { type ConsoleTest, openConsole } from './harness.ts';
let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openConsole();
  return gatehouse.close;
});
test('pictures', { timeout: 200_000 }, async () => {
  const { results } = await gatehouse.api.get('/api/users/?role=member&status=active');
  const id = results[3].external_uuid;
  await gatehouse.api.post(`/api/users/${id}/absences/`, { kind: 'leave', starts_at: new Date(Date.now()-1000).toISOString(), reason: 'Parental leave' });
  for (const width of [1440, 390]) for (const dark of [false, true]) {
    const v = await gatehouse.visit('owner', { width, height: 900, dark } as never);
    const shot = (name: string) => v.page.screenshot({ path: `/tmp/r5/dy-${name}-${width}${dark ? '-dark' : ''}.png`, fullPage: true });
    await v.goto('/policies/new');
    await v.page.getByRole('combobox', { name: 'Start from' }).click();
    await v.page.getByRole('option', { name: /Joiners/ }).click();
    await shot('template');
    await v.goto(`/people/${id}`);
    await v.page.getByText('On leave', { exact: true }).first().waitFor();
    await shot('person');
    await v.page.getByRole('button', { name: 'Set absence' }).click();
    await v.page.getByRole('dialog').getByRole('combobox', { name: 'Kind' }).click();
    await v.page.getByRole('option', { name: 'Leave' }).click();
    await v.page.screenshot({ path: `/tmp/r5/dy-form-${width}${dark ? '-dark' : ''}.png` });
  }
});
