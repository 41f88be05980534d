/**
 * `npm test`: sets up what is missing, then checks and tests everything in order of cost. Arguments choose parts
 * (`npm test -- server web`); without any all run. Ends with one line: `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { build } from './build.mjs'
import { check } from './check.mjs'
import { ensureChromium, ensureEngine, ensurePackages, main, root, SetupError } from './setup.mjs'

const sharedData = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')

const parts = {
  check: async () => {
    const failed = check()
    return { passed: 0, failed: failed.length, skipped: 0 }
  },
  contract: () => vitest('contract'),
  engine: async () => unittest(),
  server: () => vitest('server'),
  web: () => vitest('web'),
  size: async () => {
    build()
    const status = await run('node', ['web/size.mjs'])
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 }
  },
  e2e: async () => {
    process.env.CHROMIUM = ensureChromium()
    build()
    return vitest('e2e')
  },
}

await main(async () => {
  ensurePackages()
  process.env.ENGINE_PYTHON = ensureEngine()
  if (existsSync(sharedData)) process.env.SHARED_DATA = sharedData
  else process.stdout.write(`No real data sets at ${sharedData}: tests that need them use synthetic ones.\n`)
  const total = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  for (const [name, test] of chosen(process.argv.slice(2))) {
    const start = performance.now()
    process.stdout.write(`\n== ${name}\n`)
    const result = await test()
    for (const key of Object.keys(total)) total[key] += result[key]
    if (result.failed > 0) failures.push(...(result.failures?.length ? result.failures : [name]))
    process.stdout.write(
      `== ${name}: ${result.failed === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(0)} s\n`,
    )
  }
  // Last of all: whoever sees only the end of a long log must see what failed.
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n`)
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
  if (total.failed > 0) process.exitCode = 1
})

function chosen(names) {
  const unknown = names.filter((name) => !(name in parts))
  if (unknown.length > 0)
    throw new SetupError(`Unknown part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
  return Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name))
}

async function vitest(room) {
  const report = join(root, '.cache', `test-${room}.json`)
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const status = await run('npx', [
    'vitest',
    'run',
    '--root',
    room,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    testResults,
  } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that cannot be loaded fails the run without a failed test.
  const failures = testResults.flatMap((file) => failuresOf(file))
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, skipped, failures }
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

async function unittest() {
  const lines = []
  const status = await run(
    process.env.ENGINE_PYTHON,
    ['-m', 'unittest', 'discover', '-s', 'engine/tests', '-t', 'engine'],
    {
      env: { ...process.env, PYTHONPATH: join(root, 'engine'), PYTHONDONTWRITEBYTECODE: '1' },
      onError: (text) => lines.push(text),
    },
  )
  const count = Number(/Ran (\d+) tests?/.exec(lines.join(''))?.[1] ?? 0)
  const skipped = Number(/skipped=(\d+)/.exec(lines.join(''))?.[1] ?? 0)
  return status === 0 && count > 0
    ? { passed: count - skipped, failed: 0, skipped }
    : { passed: 0, failed: 1, skipped }
}

function run(command, args, { env = process.env, onError = () => {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'pipe'] })
    child.stderr.on('data', (data) => {
      process.stderr.write(data)
      onError(String(data))
    })
    child.on('close', (status) => resolve(status ?? 1))
  })
}
