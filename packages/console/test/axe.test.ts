// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from './axe.ts';
import { type ConsoleTest, openSharedConsole } from './harness.ts';

let gatehouse: ConsoleTest;
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  return gatehouse.close;
});

/** Elements by ID. The styles below make each of them a fault in some states of the page only. */
const FAULTS = { nameless: 'button', dark: 'p', light: 'p', phone: 'input', darkPhone: 'p', wide: 'p' };
const STYLES = `
  #nameless { width: 3rem; height: 3rem }
  #dark, #light, #darkPhone { color: #000; background: #fff }
  #light { color: #ccc }
  [data-mantine-color-scheme=dark] #light { color: #000 }
  [data-mantine-color-scheme=dark] #dark { color: #999 }
  #phone { display: none }
  #wide { width: 500px; color: #000; background: #fff }
  @media (max-width: 600px) {
    #phone { display: block }
    [data-mantine-color-scheme=dark] #darkPhone { color: #999 }
  }`;

test('finds faults that are only in dark mode, only in light mode, or only on a phone', async () => {
  const visit = await gatehouse.visit('owner');
  await visit.goto('/groups');
  await visit.page.evaluate(
    ([faults, styles]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets.push(sheet);
      for (const [id, name] of Object.entries(faults)) {
        const fault = Object.assign(document.createElement(name), { id });
        if (name === 'p') fault.textContent = 'Text';
        document.querySelector('main')?.append(fault);
      }
    },
    [FAULTS, STYLES] as const,
  );

  expect((await faultsOf(visit)).map((fault) => fault.replace(/ \(.*:(?= )| is \d+ px/, ''))).toEqual([
    '1440 light: button-name #nameless',
    '1440 light: color-contrast #light',
    '1440 dark: color-contrast #dark',
    '390: the page too wide',
    '390 dark: color-contrast #dark, #darkPhone',
    '390 light: button-name #nameless',
    '390 light: color-contrast #light',
    '390 light: label #phone',
  ]);
});
