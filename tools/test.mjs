/**
 * `npm test`: sets up what is missing, then checks and tests everything in order of cost. Arguments choose parts
 * (`npm test -- server web`); `npm test -- changed [revision]` runs what the change since then can touch; without any
 * all run. After the last part each broken file runs once more, alone (`SECOND_TRY=0`: not). Ends with what each part and
 * the slowest files took, and one line: `N passed, N failed, N skipped`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, buildServer } from './build.mjs'
import { check } from './check.mjs'
import { run } from './run.mjs'
import { failureLines, secondTries, secondTryLines } from './second-tries.mjs'
import { ensureChromium, ensureEngine, ensurePackages, main, root, SetupError } from './setup.mjs'
import { touched } from './test-changed.mjs'
import { runEngine } from './test-engine.mjs'
import { busyClock, timeTable } from './test-times.mjs'
import { brokenPart, runVitest } from './test-vitest.mjs'

const sharedData = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')

/** Ends a part that hangs; no measure of one that works. */
const LIMIT_MINUTES = { server: 25, e2e: 25 }
const limitOf = (part) => (LIMIT_MINUTES[part] ?? 15) * 60_000

/** Each answers `{ passed, failed, skipped, broken, files }` as runVitest does; `only` are arguments for its runner. */
const parts = {
  check: async () => {
    const { failed, files } = await check()
    const broken = failed.map((name) => brokenPart('check', name))
    return { passed: 0, failed: failed.length, skipped: 0, broken, files }
  },
  contract: (only) => vitest('contract', only),
  engine: () => runEngine([], { limitMs: limitOf('engine') }),
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
    build()
    return vitest('e2e', only)
  },
}

await main(async () => {
  ensurePackages()
  process.env.ENGINE_PYTHON = ensureEngine()
  if (existsSync(sharedData)) process.env.SHARED_DATA = sharedData
  else process.stdout.write(`No real data sets at ${sharedData}: tests that need them use synthetic ones.\n`)
  const total = { passed: 0, failed: 0, skipped: 0 }
  const broken = []
  const times = []
  for (const [name, only] of chosen(process.argv.slice(2))) {
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
  const passed = await secondTries(broken, runAgain)
  for (const { counts, again } of passed) {
    for (const key of Object.keys(total)) total[key] += again[key] - counts[key]
  }
  process.stdout.write(`\n${timeTable(times)}`)
  // Last of all: whoever sees only the end of a long log must see what failed.
  const failures = failureLines(broken)
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n`)
  const again = secondTryLines(passed, register())
  if (again.length > 0)
    process.stdout.write(`\nPassed on the second try (${again.length}):\n${again.join('\n')}\n`)
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
  if (total.failed > 0) process.exitCode = 1
})

/** Parts in order, each with what its runner is told besides. */
function chosen(names) {
  if (names[0] === 'changed') return touched(names[1], Object.keys(parts))
  const unknown = names.filter((name) => !(name in parts))
  if (unknown.length > 0)
    throw new SetupError(
      `Unknown part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}, and changed.`,
    )
  return Object.keys(parts)
    .filter((name) => names.length === 0 || names.includes(name))
    .map((name) => [name, []])
}

function vitest(room, only) {
  return runVitest(room, only, { limitMs: limitOf(room) })
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
