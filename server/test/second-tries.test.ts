/** `npm test`: what fails by chance passes on a second try, alone; what is really broken does not. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

type Counts = { passed: number; failed: number; skipped: number }
type Broken = {
  part: string
  file: string | null
  failed: { name: string | null; message: string }[]
  counts: Counts
}
type Result = Counts & {
  broken: Broken[]
  files: { name: string; seconds: number; passedTests: string[] }[]
}
type RunAgain = (broken: Broken, limitMs: number) => Promise<Result>
// Plain JavaScript, which says nothing of its types.
type Tools = {
  runVitest(part: string, only: string[], options: object): Promise<Result>
  secondTries(broken: Broken[], runAgain: RunAgain): Promise<(Broken & { again: Counts })[]>
  failureLines(broken: Broken[]): string[]
  secondTryLines(passed: Broken[], register: string): string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
let tools: Tools
let folder: string

beforeAll(async () => {
  tools = {
    ...((await import(join(root, 'tools/test-vitest.mjs'))) as Tools),
    ...((await import(join(root, 'tools/second-tries.mjs'))) as Tools),
  }
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-second-tries-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'room'))
  await Promise.all(
    Object.entries(project).map(([name, text]) => writeFile(join(folder, 'room', name), text)),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => vi.stubEnv('SECOND_TRY', undefined))
afterEach(() => vi.unstubAllEnvs())

/** True at the first call with this name in the project, in whatever process. */
const once = `
import { existsSync, writeFileSync } from 'node:fs'
export function isFirst(name) {
  const file = new URL('seen-' + name, import.meta.url)
  if (existsSync(file)) return false
  writeFileSync(file, '')
  return true
}`
const imports = `
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFirst } from './once.mjs'
`
const project = {
  'once.mjs': once,
  'vitest.config.mjs': `export default {
    cacheDir: '../cache',
    test: { include: ['*.test.mjs'], pool: 'forks', maxWorkers: 1, isolate: false },
  }`,
  'chance.test.mjs': `${imports}
    test('holds', () => {})
    test('fails once', () => expect(isFirst('chance')).toBe(false))`,
  'defect.test.mjs': `${imports}
    test('fails always', () => expect(1).toBe(2))`,
  'outside.test.mjs': `${imports}
    test('awaits nobody', async () => {
      if (isFirst('outside')) void Promise.reject(new Error('awaited by nobody'))
      await new Promise((resolve) => setImmediate(resolve))
    })`,
  'hooks.test.mjs': `${imports}
    describe('group', () => {
      beforeAll(() => { if (isFirst('before')) throw new Error('beforeAll is broken') })
      test('is prepared', () => {})
    })
    describe('other group', () => {
      afterAll(() => { if (isFirst('after')) throw new Error('afterAll is broken') })
      test('is cleared up', () => {})
    })`,
  'import.test.mjs': `import './missing.mjs'`,
  // The longest file comes first, so that all others are behind the worker that dies.
  'killed.test.mjs': `${imports}
    test('kills its worker once', () => { if (isFirst('killed')) process.kill(process.pid, 'SIGKILL') })
    // ${'x'.repeat(2000)}`,
  'steady.test.mjs': `${imports}
    test('holds', () => {})
    test.skip('is not run', () => {})`,
}

const run = (only: string[] = []): Promise<Result> =>
  tools.runVitest('room', only, { folder, stdout: 'ignore', stderr: 'ignore' })

const runAgain: RunAgain = ({ file }) =>
  run([join(folder, file ?? ''), '--maxWorkers=1', '--maxConcurrency=1'])

const byFile = (broken: Broken[]): Record<string, Broken['failed']> =>
  Object.fromEntries(broken.map(({ file, failed }) => [file, failed]))

const sample = (file: string | null, name: string | null = 'a test'): Broken => ({
  part: 'server',
  file,
  failed: [{ name, message: 'wrong\nmore' }],
  counts: { passed: 0, failed: 1, skipped: 0 },
})

const answer = (file: string, passedTests: string[], failed = 0): Result => ({
  passed: passedTests.length,
  failed,
  skipped: 0,
  broken: [],
  files: [{ name: file, seconds: 1, passedTests }],
})

it('finds every kind of failure in a run of Vitest, and passes only those that were chance', async () => {
  const first = await run()
  expect(byFile(first.broken)).toEqual({
    'room/chance.test.mjs': [{ name: 'fails once', message: expect.stringContaining('expected true') }],
    'room/defect.test.mjs': [{ name: 'fails always', message: expect.stringContaining('expected 1') }],
    'room/outside.test.mjs': [{ name: null, message: 'awaited by nobody' }],
    'room/hooks.test.mjs': [
      { name: null, message: 'beforeAll is broken' },
      { name: null, message: 'afterAll is broken' },
    ],
    'room/import.test.mjs': [{ name: null, message: expect.stringContaining('missing.mjs') }],
    'room/killed.test.mjs': [{ name: null, message: expect.stringMatching(/worker/i) }],
  })
  // Files behind the worker that died have run all the same.
  const steady = first.files.find(({ name }) => name === 'room/steady.test.mjs')
  expect(steady?.passedTests).toEqual(['holds'])
  expect(first).toMatchObject({ passed: 4, failed: 7, skipped: 2 })

  const passed = await tools.secondTries(first.broken, runAgain)
  expect(passed.map(({ file }) => file).sort()).toEqual(
    ['chance', 'hooks', 'killed', 'outside'].map((name) => `room/${name}.test.mjs`),
  )
  expect(passed.find(({ file }) => file === 'room/chance.test.mjs')?.again).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
  })
})

it('counts a run that ends without a report, or does not end, as broken as a whole', async () => {
  const none = await tools.runVitest('no-such-room', [], { folder, stdout: 'ignore', stderr: 'ignore' })
  const endless = await tools.runVitest('room', [], { folder, stdout: 'ignore', limitMs: 1 })
  for (const { broken, failed } of [none, endless]) {
    expect([broken.map(({ file }) => file), failed]).toEqual([[null], 1])
  }
  expect(endless.broken[0]?.failed[0]?.message).toContain('did not end within')
})

describe('a second try', () => {
  it('is refused at once to more than six files', async () => {
    const again = vi.fn<RunAgain>(async ({ file }) => answer(file ?? '', ['a test']))
    const broken = Array.from({ length: 7 }, (_, index) => sample(`server/${index}.test.ts`))
    expect(await tools.secondTries(broken, again)).toEqual([])
    expect(again).not.toHaveBeenCalled()
    expect(await tools.secondTries(broken.slice(1), again)).toHaveLength(6)
  })

  it('is not made with SECOND_TRY=0, nor of what is no file', async () => {
    const again = vi.fn<RunAgain>(async ({ file }) => answer(file ?? '', ['a test']))
    expect(await tools.secondTries([sample(null)], again)).toEqual([])
    vi.stubEnv('SECOND_TRY', '0')
    expect(await tools.secondTries([sample('server/a.test.ts')], again)).toEqual([])
    expect(again).not.toHaveBeenCalled()
  })

  it.each([
    ['the test that failed did not run', answer('server/a.test.ts', ['another test'])],
    ['no test ran', answer('server/a.test.ts', [])],
    ['another file ran', answer('server/b.test.ts', ['a test'])],
    ['anything else failed', answer('server/a.test.ts', ['a test'], 1)],
  ])('does not pass when %s', async (_, result) => {
    expect(await tools.secondTries([sample('server/a.test.ts')], async () => result)).toEqual([])
  })

  it('is told with file, test, first line, and whether the register has it', () => {
    const passed = [sample('server/a.test.ts'), sample('server/b.test.ts', null)]
    const register = 'Text of server/b.test.ts\n| 2026-01-01 | server/a.test.ts > a test | … |'
    expect(tools.secondTryLines(passed, register)).toEqual([
      'server/a.test.ts > a test: wrong (known: docs/unsteady.md)',
      'server/b.test.ts: wrong (new: write it into docs/unsteady.md)',
    ])
    expect(tools.failureLines([sample(null, null)])).toEqual(['server: wrong'])
  })
})
