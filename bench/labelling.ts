/**
 * `npm run bench -- labelling`: how quick the labelling editor draws in Chromium without a graphics card, on the page
 * /dev/labelling of the development server (tiles are drawn there, marks are kept in the browser's database): 500 strokes of
 * brushes of 50 and 1,000 pixels on pictures of 10,000² and 16,000², 5,000 polygons, 100 masks, and a volume in three planes.
 * "Pointer to paint" runs from the time that the browser gives the event to the pixels on the canvas.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from '../e2e/browser.ts'
import { freePort, root } from '../e2e/stack.ts'

type Browser = Awaited<ReturnType<typeof launch>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const strokesEach = 125

async function bench() {
  const port = await freePort()
  const server = spawn('npx', ['vite', '--port', String(port), '--strictPort'], {
    cwd: join(root, 'web'),
    stdio: 'ignore',
    detached: true,
  })
  const browser = await launch()
  try {
    const url = `http://127.0.0.1:${port}/dev/labelling`
    await answering(url)
    for (const [side, brush] of [
      [10_000, 50],
      [10_000, 1000],
      [16_000, 50],
      [16_000, 1000],
    ] as const)
      await measureBrush(browser, `${url}?side=${side}&brush=${brush}`, { side, brush })
    await measureThings(browser, `${url}?side=4000&things=5000`)
    await measureMasks(browser, `${url}?side=10000`)
    await measureVolume(browser, `${url}?volume=1`)
  } finally {
    await browser.close()
    end(server)
  }
}

const end = ({ pid }: ChildProcess) => pid !== undefined && process.kill(-pid)

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('the development server does not answer')
}

async function opened(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // The compiler of this file names functions with a helper that the page does not know.
  await context.addInitScript({ content: 'globalThis.__name = (named) => named' })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(url)
  await page.waitForFunction('window.measured !== undefined')
  await page.waitForTimeout(1500)
  return page
}

async function measureBrush(browser: Browser, url: string, { side, brush }: { side: number; brush: number }) {
  const page = await opened(browser, url)
  await page.evaluate('window.measured.watch()')
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  for (let stroke = 0; stroke < strokesEach; stroke++) {
    let [x, y] = [300 + random(800), 100 + random(700)]
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let step = 0; step < 12; step++) {
      x += random(60) - 30
      y += random(60) - 30
      await page.mouse.move(x, y)
    }
    await page.mouse.up()
  }
  const paints = (await page.evaluate('window.measured.paints')) as number[]
  const name = `${strokesEach} strokes of ${brush} pixels on ${side}²`
  const goal = side > 10_000 ? 33 : 16
  tell(`${name}: pointer to paint, p95 of ${paints.length}`, {
    value: quantile(paints, 0.95),
    unit: 'ms',
    goal,
  })
  if (brush === 1000)
    tell(`${name}: memory of the tab`, { value: await megabytes(browser, page), unit: 'MB', goal: 1000 })
  await page.context().close()
}

async function measureThings(browser: Browser, url: string) {
  const page = await opened(browser, url)
  for (const action of ['hover', 'choose', 'move', 'remove', 'undo', 'zoom', 'pan']) {
    const times = (await page.evaluate(`window.measured.things('${action}')`)) as number[]
    tell(`5,000 polygons, ${action}: longest of ${times.length}`, {
      value: quantile(times, 1),
      unit: 'ms',
      goal: 50,
    })
  }
  await page.context().close()
}

async function measureMasks(browser: Browser, url: string) {
  const page = await opened(browser, url)
  const { savedMs, gapMs } = (await page.evaluate('window.measured.masks(100)')) as Record<
    'savedMs' | 'gapMs',
    number
  >
  tell('100 masks by brush: kept in the browser', { value: savedMs, unit: 'ms', goal: 200 })
  tell('longest frame meanwhile', { value: gapMs, unit: 'ms', goal: 34 })
  await page.context().close()
}

async function measureVolume(browser: Browser, url: string) {
  const page = await opened(browser, url)
  const times = (await page.evaluate('window.measured.slices(90)')) as number[]
  tell('512 × 512 × 300 in three planes: another slice, p95', {
    value: quantile(times, 0.95),
    unit: 'ms',
    goal: 33,
  })
  await page.context().close()
}

/** Of the page's own process, with its canvases. */
async function megabytes(browser: Browser, page: Page): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await page.waitForTimeout(500)
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0))
  return Math.max(...sizes) / 1024
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? Number.NaN

function tell(what: string, { value, unit, goal }: { value: number; unit: string; goal: number }) {
  const isReached = value <= goal
  if (!isReached) process.exitCode = 1
  console.log(
    `${what}: ${value.toFixed(1)} ${unit} (goal ≤ ${goal} ${unit}) ${isReached ? 'reached' : 'MISSED'}`,
  )
}

await bench()
