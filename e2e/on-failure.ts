/** What a person would have seen when a test failed, and what the product wrote: what was waited for says too little. */
import { afterEach } from 'vitest'
import { opened } from './browser.ts'
import { running } from './stack.ts'

const shownLines = 60

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of opened) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch((error: unknown) => String(error))
    process.stdout.write(`\nSeen at ${page.url()}:\n${text.slice(0, 3000)}\n`)
  }
  for (const product of running) {
    const lines = product.output().split('\n').slice(-shownLines)
    process.stdout.write(`\nLast lines of ${product.url}:\n${lines.join('\n').slice(-12_000)}\n`)
  }
})
