/**
 * What a person would have seen when a test failed, and what the product wrote: what was waited for says too little.
 * The steps of a journey build on each other: after a failure the rest of its file is skipped, other files go on.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { opened } from './browser.ts'
import { root, running } from './stack.ts'

const shownLines = 60
/** What is kept of one page for the end of the whole run. */
const keptLength = 1500
let hasFailed = false

beforeEach(({ skip }) => skip(hasFailed, 'A step before it failed'))

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  hasFailed = true
  for (const [page, told] of opened) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch((error: unknown) => String(error))
    const seen = `\nSeen at ${page.url()}:\n${text.slice(0, 3000)}\n${told.slice(-20).join('\n')}\n`
    process.stdout.write(seen)
    keep(`\n${task.name}, at ${page.url()}:\n${[text, told.join('\n')].map(end).join('\n')}\n`)
  }
  for (const product of running) {
    const lines = product.output().split('\n').slice(-shownLines)
    process.stdout.write(`\nLast lines of ${product.url}:\n${lines.join('\n').slice(-12_000)}\n`)
  }
})

const end = (text: string) => text.slice(-keptLength)

/** `npm test` tells it again at its end, where a long log is read. */
function keep(seen: string) {
  const folder = join(root, '.cache')
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, 'test-seen.txt'), seen)
}
