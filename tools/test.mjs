/**
 * `npm test`: sets up what is missing, then checks and tests everything in order of cost. Arguments choose parts
 * (`npm test -- server web`); `npm test -- changed [revision]` runs what stands beside the change since then; without
 * any all run. After the last part each broken file runs once more, alone (`SECOND_TRY=0`: not). `npm run test:long` (`--long`)
 * runs the long tests alone, without second tries: of parts, or of files whose names hold one of the words
 * (`npm run test:long -- server crash`). Ends with what each part and the slowest files took, and one line:
 * `N passed, N failed, N skipped`.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, buildServer } from './build.mjs'
import { check } from './check.mjs'
import { useQuickFolder } from './quick-folder.mjs'
import { run } from './run.mjs'
import { failureLines, secondTries, secondTryLines } from './second-tries.mjs'
import {
  ensureChromium,
  ensureEngine,
  ensureFirefox,
  ensureFlow,
  ensurePackages,
  ensureTesseract,
  main,
  root,
  SetupError,
} from './setup.mjs'
import { touched } from './test-changed.mjs'
import { runEngine } from './test-engine.mjs'
import { busyClock, timeTable } from './test-times.mjs'
import { brokenPart, runVitest } from './test-vitest.mjs'

const sharedData = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')

/** Long tests are files of their own; what is checked and measured has none. */
const isLong = process.argv[2] === '--long'
if (isLong) process.env.TESTS = 'long'

/** Ends a part that hangs; no measure of one that works: the slowest machines take three times as long as most. */
const LIMIT_MINUTES = { server: 40, e2e: 40 }
const limitOf = (part) => (isLong ? 90 : (LIMIT_MINUTES[part] ?? 20)) * 60_000

/** Each answers `{ passed, failed, skipped, broken, files }` as runVitest does; `only` are arguments for its runner. */
const parts = {
  check: async (only) => {
    const { failed, files } = await check({ files: only.length > 0 ? only : null })
    const broken = failed.map((name) => brokenPart('check', name))
    return { passed: 0, failed: failed.length, skipped: 0, broken, files }
  },
  contract: (only) => vitest('contract', only),
  engine: (only) => runEngine(only, { limitMs: limitOf('engine'), isLong }),
  server: (only) => {
    buildServer()
    process.env.OWN_SCRIPTS = 'built'
    return vitest('server', only)
  },
  web: (only) => vitest('web', only),
  size: async () => {
    build()
    const { status } = await run('node', ['web/size.mjs'], { limitMs: limitOf('size') })
    const broken = status === 0 ? [] : [brokenPart('size', 'web/size.mjs refuses')]
    return { passed: 1 - broken.length, failed: broken.length, skipped: 0, broken, files: [] }
  },
  e2e: async (only) => {
    process.env.CHROMIUM = ensureChromium()
    if (only.some((file) => file.includes('firefox'))) process.env.FIREFOX = ensureFirefox() ?? ''
    build()
    return vitest('e2e', only)
  },
}

const longFile = {
  contract: { pattern: /^(src|test)\/.*\.long\.test\.ts$/ },
  engine: { pattern: /^tests\/long_\w+\.py$/, path: (file) => basename(file, '.py') },
  server: { pattern: /^(src|test)\/.*\.long\.test\.ts$/ },
  web: { pattern: /^(src|test)\/.*\.long\.test\.tsx?$/ },
  e2e: { pattern: /^long\/.*\.test\.ts$/ },
}

const seenFile = join(root, '.cache', 'test-seen.txt')

await main(async () => {
  rmSync(seenFile, { force: true })
  useQuickFolder()
  ensurePackages()
  process.env.ENGINE_PYTHON = ensureEngine()
  ensureFlow(process.env.ENGINE_PYTHON)
  ensureTesseract()
  if (existsSync(sharedData)) process.env.SHARED_DATA = sharedData
  else process.stdout.write(`No real data sets at ${sharedData}: tests that need them use synthetic ones.\n`)
  const total = { passed: 0, failed: 0, skipped: 0 }
  const broken = []
  const times = []
  for (const [name, only] of isLong ? chosenLong(process.argv.slice(3)) : chosen(process.argv.slice(2))) {
    const clock = busyClock()
    process.stdout.write(`\n== ${name}\n`)
    const result = await parts[name](only)
    for (const key of Object.keys(total)) total[key] += result[key]
    broken.push(...result.broken)
    const time = { name, ...clock(), files: result.files }
    times.push(time)
    process.stdout.write(
      `== ${name}: ${result.failed === 0 ? 'ok' : 'FAILED'} in ${time.seconds.toFixed(0)} s\n`,
    )
  }
  const passed = isLong ? [] : await secondTries(broken, runAgain)
  for (const { counts, again } of passed) {
    for (const key of Object.keys(total)) total[key] += again[key] - counts[key]
  }
  process.stdout.write(`\n${timeTable(times)}`)
  process.stdout.write(seen())
  // Last of all: whoever sees only the end of a long log must see what failed.
  const failures = failureLines(broken.filter((one) => !passed.some(({ file }) => file === one.file)))
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n`)
  const again = secondTryLines(passed, register())
  if (again.length > 0)
    process.stdout.write(`\nPassed on the second try (${again.length}):\n${again.join('\n')}\n`)
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
  if (total.failed > 0) process.exitCode = 1
})

/** Parts in order, each with what its runner is told besides. */
function chosen(names) {
  if (names[0] === 'changed') return chosenNear(names[1])
  const unknown = names.filter((name) => !(name in parts))
  if (unknown.length > 0)
    throw new SetupError(
      `Unknown part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}, and changed.`,
    )
  return Object.keys(parts)
    .filter((name) => names.length === 0 || names.includes(name))
    .map((name) => [name, []])
}

/** What stands beside a change; what else it can touch is told. */
function chosenNear(revision) {
  const { base, files, parts: near, besides } = touched(revision)
  process.stdout.write(`${files.length} files changed since ${base}\n`)
  const list = (title, names) =>
    names.length > 0 && process.stdout.write(`${title}\n  ${names.join('\n  ')}\n`)
  list('The whole run (npm test) also walks through it in the browser:', besides.journeys)
  list('The long run (npm run test:long -- <word>) has beside it:', besides.long)
  return near
}

/** Rooms with long tests, each with the files that hold one of the words; without words a whole room. */
function chosenLong(words) {
  const isRoom = (word) => word in longFile
  const names = words.filter((word) => !isRoom(word))
  const found = Object.entries(longFile)
    .filter(([room]) => words.includes(room) || !words.some(isRoom))
    .map(([room, { pattern, path = (file) => file }]) => {
      const all = readdirSync(join(root, room), { recursive: true }).filter((file) => pattern.test(file))
      return [
        room,
        all.filter((file) => names.length === 0 || names.some((name) => file.includes(name))).map(path),
      ]
    })
    .filter(([, files]) => files.length > 0)
  if (found.length === 0) throw new SetupError(`No long test is called ${words.join(', ')}.`)
  return found
}

function vitest(room, only) {
  return runVitest(room, only, { limitMs: limitOf(room) })
}

/** What stood on the pages of the first browser tests that failed. */
function seen() {
  if (!existsSync(seenFile)) return ''
  return `\nSeen when a browser test failed:\n${readFileSync(seenFile, 'utf8').slice(0, 6000)}\n`
}

/** Tests that are known to fail now and then. */
function register() {
  const path = join(root, 'docs', 'unsteady.md')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** One broken file alone, by its whole path. */
function runAgain({ part, file }, limitMs) {
  process.stdout.write(`\n== second try: ${file}\n`)
  if (part === 'engine') return runEngine([basename(file, '.py')], { limitMs })
  return runVitest(part, [join(root, file), '--maxWorkers=1', '--maxConcurrency=1'], { limitMs })
}
