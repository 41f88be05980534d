/**
 * `npm run bench -- lighthouse [--runs 5] [--pages]`: Lighthouse in Chromium on the front page in each language, phone and
 * desk; the median of the runs is held against the goals. `--pages` looks once at every other public page as well.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import lighthouse, { desktopConfig, type Result } from 'lighthouse'
import { freePort, removeData, startProduct } from '../e2e/stack.ts'
import { sitePaths } from '../web/src/features/site/pages.ts'
import { poll } from './client.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof categories)[number]
type Device = 'mobile' | 'desktop'
type Visit = { scores: Record<Category, number>; shift: number; scriptBytes: number; faults: string[] }

/** Goals: 95 everywhere, 90 for performance on a phone; no layout shift; script on the wire of the front page. */
const goalOf = (category: Category, device: Device) =>
  category === 'performance' && device === 'mobile' ? 90 : 95
const MAX_SHIFT = 0.005
const MAX_SCRIPT_BYTES = 140_000

const fronts = ['/', '/zh', '/ru']
const others = sitePaths.filter((path) => path !== '/')
const entrances = ['/login', '/register', '/forget']

async function bench(runs: number, withPages: boolean) {
  const product = await startProduct()
  const chromium = await startChromium()
  try {
    for (const device of ['mobile', 'desktop'] as const) {
      for (const path of fronts)
        await measure({ address: product.url + path, path, device, runs, port: chromium.port })
      if (!withPages) continue
      const pages = [
        ...['', '/zh', '/ru'].flatMap((language) => others.map((path) => language + path)),
        ...entrances,
      ]
      for (const path of pages) {
        await measure({ address: product.url + path, path, device, runs: 1, port: chromium.port })
      }
    }
  } finally {
    await chromium.stop()
    await product.stop()
    await removeData(product.dataDir)
  }
}

type Page = { address: string; path: string; device: Device; runs: number; port: number }

/** Prints a page's medians and, below, what keeps it from full marks. */
async function measure({ address, path, device, runs, port }: Page) {
  const visits: Visit[] = []
  for (let run = 0; run < runs; run++) visits.push(await visit(address, device, port))
  const scores = categories.map((category) => {
    const score = median(visits.map((one) => one.scores[category]))
    return `${category} ${score}${mark(score >= goalOf(category, device))}`
  })
  const shift = median(visits.map((one) => one.shift))
  const bytes = median(visits.map((one) => one.scriptBytes))
  const isFront = fronts.includes(path)
  const script = `script ${(bytes / 1000).toFixed(1)} kB${isFront ? mark(bytes <= MAX_SCRIPT_BYTES) : ''}`
  console.log(
    `${device} ${path}: ${scores.join(', ')}, layout shift ${shift.toFixed(3)}${mark(shift <= MAX_SHIFT)}, ${script}`,
  )
  for (const fault of new Set(visits.flatMap(({ faults }) => faults))) console.log(`    ${fault}`)
}

/** Also makes the bench fail. */
function mark(isReached: boolean): string {
  if (isReached) return ''
  process.exitCode = 1
  return ' MISSED'
}

async function visit(address: string, device: Device, port: number): Promise<Visit> {
  const answer = await lighthouse(
    address,
    { port, output: 'json', logLevel: 'error', onlyCategories: [...categories] },
    device === 'desktop' ? desktopConfig : undefined,
  )
  if (!answer) throw new Error(`Lighthouse said nothing of ${address}`)
  const { lhr } = answer
  if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`)
  const scoreOf = (category: Category) => Math.round(100 * (lhr.categories[category]?.score ?? 0))
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    shift: lhr.audits['cumulative-layout-shift']?.numericValue ?? 0,
    scriptBytes: scriptBytesOf(lhr),
    faults: faultsOf(lhr),
  }
}

/** As they came over the wire. */
function scriptBytesOf(lhr: Result): number {
  const details = lhr.audits['network-requests']?.details
  const items = details?.type === 'table' ? details.items : []
  return items
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + Number(transferSize ?? 0), 0)
}

/** Audits that count for a category and did not pass, with what they measured. */
function faultsOf(lhr: Result): string[] {
  const counted = categories.flatMap((category) =>
    (lhr.categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0).map(({ id }) => id),
  )
  return counted
    .map((id) => lhr.audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map((audit) => [audit?.id, audit?.displayValue, firstOf(audit?.details)].filter(Boolean).join(' · '))
}

/** The first thing that an audit names: an element, an address or a message. */
function firstOf(details: Result['audits'][string]['details']): string {
  const item = details?.type === 'table' || details?.type === 'opportunity' ? details.items[0] : undefined
  const named = item ? (item.node ?? item.url ?? item.description ?? item.label) : undefined
  if (typeof named === 'string') return named
  return typeof named === 'object' && 'snippet' in named ? String(named.snippet) : ''
}

/** A Chromium of its own with an empty profile, which Lighthouse drives by its port. */
async function startChromium() {
  const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const port = await freePort()
  const child = spawn(
    process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${profile}`,
      `--remote-debugging-port=${port}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    )
  await poll(isThere, Boolean, { everyMs: 100, limitMs: 30_000 })
  const stop = async () => {
    await ended(child)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  return { port, stop }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** The middle one; of an even number the lower of the two. */
const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, pages: { type: 'boolean', default: false } },
})
await bench(Number(values.runs), values.pages)
