/** A form of twenty steps written directly in Playwright; prints the ms of each session without its start. */
// The library is only installed in this folder.
const { chromium } = await import(new URL('node_modules/playwright/index.mjs', import.meta.url).href);
const { url, binary, rounds } = JSON.parse(process.argv[2] ?? '{}');
const browser = await chromium.launch({ executablePath: binary, args: ['--no-sandbox'] });
const times = [];
for (let round = 0; round < rounds; round += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const began = performance.now();
  for (let row = 0; row < 6; row += 1) {
    await page.locator(`css=[name=text${row}]`).fill(`grain ${row}`);
    await page.locator(`css=[name=kind${row}]`).selectOption({ value: 'oat' });
    await page.locator(`css=[name=fine${row}]`).check();
  }
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent').first().waitFor();
  times.push(performance.now() - began);
  await context.close();
}
await browser.close();
process.stdout.write(JSON.stringify(times));
