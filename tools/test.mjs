/**
 * `npm test`: sets up what is missing, then checks and tests everything in order of cost. Arguments choose parts
 * (`npm test -- server web`); `npm test -- changed [revision]` runs what the change since then can touch; without any
 * all run. `npm run test:long` (`--long`) runs the long tests alone: of parts, or of files whose names hold one of the
 * words (`npm run test:long -- server crash`). Ends with what each part and the slowest files took, and one line:
 * `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { build, buildServer } from './build.mjs'
import { check } from './check.mjs'
import {
  ensureChromium,
  ensureEngine,
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
  engine: (only) => engineTests(only),
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

/** Long tests are files of their own; what is checked and measured has none. */
const isLong = process.argv[2] === '--long'
if (isLong) process.env.TESTS = 'long'
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
  const passed = await secondTries(broken, runAgain)
  for (const { counts, again } of passed) {
    for (const key of Object.keys(total)) total[key] += again[key] - counts[key]
  }
  process.stdout.write(`\n${timeTable(times)}`)
  process.stdout.write(seen())
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

async function vitest(room, only = []) {
  const report = join(root, '.cache', `test-${room}.json`)
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = await run('npx', ['vitest', 'run', '--root', room, ...reporters, ...only])
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    testResults,
  } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that cannot be loaded fails the run without a failed test.
  const failures = testResults.flatMap((file) => failuresOf(file))
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, skipped, failures, files }
}

/** What stood on the pages of the first browser tests that failed. */
function seen() {
  if (!existsSync(seenFile)) return ''
  return `\nSeen when a browser test failed:\n${readFileSync(seenFile, 'utf8').slice(0, 6000)}\n`
}

/** One line each: file, test, and the first line of its message. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(root, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [`${file}: ${firstLine(message)}`] : []
  return failed.map((test) => `${file} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

function firstLine(text = '') {
  return stripVTControlCharacters(text).split('\n')[0].slice(0, 300)
}

/** `engine/tests/run.py` says of each file how it went, as one JSON line. */
async function engineTests(only) {
  const args = ['-m', 'tests.run', ...(isLong ? ['--long'] : []), ...only]
  const { status, output } = await run(process.env.ENGINE_PYTHON, args, {
    cwd: join(root, 'engine'),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdout: 'pipe',
  })
  const results = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const failures = results.flatMap(({ file, failed }) =>
    failed.map((test) => `engine/tests/${file} > ${test}`),
  )
  const passed = sum('ran') - sum('skipped') - failures.length
  return {
    passed: Math.max(0, passed),
    failed: failures.length === 0 && (status !== 0 || passed <= 0) ? 1 : failures.length,
    skipped: sum('skipped'),
    failures,
    files: results.map(({ file, seconds }) => ({ name: `engine/tests/${file}`, seconds })),
  }
}

function run(command, args, { cwd = root, env = process.env, stdout = 'inherit' } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', stdout, 'inherit'] })
    let output = ''
    child.stdout?.on('data', (data) => (output += data))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}
