/** Scrolling a long folder in Chromium as fast as a wheel turns: was a row ever missing where one belongs? */
import { launch, open, signIn } from '../e2e/browser.ts'
import type { Product } from '../e2e/stack.ts'

/** Pixels a second: some 60 rows. */
const SPEED = 3500
const SECONDS = 20

export type Scrolled = { frames: number; blankFrames: number; framesPerSecond: number; rowsSeen: number }

/** Opens the folder and scrolls down; a frame counts as blank when more than one row's height is empty in the window. */
export async function scrollFolder(product: Product, folderId: string): Promise<Scrolled> {
  const browser = await launch()
  try {
    const { page } = await open(browser, { width: 1280, height: 900 })
    await signIn(page, product)
    await page.goto(`${product.url}/cloudFile?id=${folderId}`)
    await page.locator('tbody tr[data-index="0"]').waitFor()
    const counting = page.evaluate(countBlanks, SECONDS * 1000)
    let isDone = false
    const end = counting.finally(() => {
      isDone = true
    })
    await page.mouse.move(640, 600)
    const start = performance.now()
    for (let turned = 0; !isDone; ) {
      const due = ((performance.now() - start) / 1000) * SPEED
      await page.mouse.wheel(0, due - turned)
      turned = due
    }
    return await end
  } finally {
    await browser.close()
  }
}

/** Runs in the page. */
async function countBlanks(ms: number): Promise<Scrolled> {
  let frames = 0
  let blankFrames = 0
  let rowsSeen = 0
  const start = performance.now()
  while (performance.now() - start < ms) {
    await new Promise(requestAnimationFrame)
    frames += 1
    const body = document.querySelector('tbody')?.getBoundingClientRect()
    if (!body) continue
    const rows = [...document.querySelectorAll<HTMLElement>('tbody tr[data-index]')]
    const shown = rows.map((row) => ({ box: row.getBoundingClientRect(), index: Number(row.dataset.index) }))
    const inWindow = shown.filter(({ box }) => box.bottom > 0 && box.top < innerHeight)
    const covered = inWindow.reduce(
      (sum, { box }) => sum + Math.min(box.bottom, innerHeight) - Math.max(box.top, 0),
      0,
    )
    const wanted = Math.min(body.bottom, innerHeight) - Math.max(body.top, 0)
    if (wanted - covered > 57) blankFrames += 1
    rowsSeen = Math.max(rowsSeen, ...inWindow.map(({ index }) => index + 1))
  }
  return { frames, blankFrames, framesPerSecond: (frames * 1000) / ms, rowsSeen }
}
