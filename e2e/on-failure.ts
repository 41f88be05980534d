/** What a person would have seen when a test failed: a log alone says only what was waited for in vain. */
import { afterEach } from 'vitest'
import { opened } from './browser.ts'

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of opened) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch((error: unknown) => String(error))
    process.stdout.write(`\nSeen at ${page.url()}:\n${text.slice(0, 3000)}\n`)
  }
})
