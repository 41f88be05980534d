/** `npm test -- changed`: what stands beside a change runs, and what else it can touch is told. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
type Tool = {
  partsFor(files: string[], base: string): [string, string[]][]
  besidesOf(files: string[]): { journeys: string[]; long: string[] }
}
// Plain JavaScript, which says nothing of its types.
const tool = async () => (await import(join(root, 'tools/test-changed.mjs'))) as Tool

const near = async (...files: string[]): Promise<Record<string, string[]>> =>
  Object.fromEntries((await tool()).partsFor(files, 'main'))
const besides = async (...files: string[]) => (await tool()).besidesOf(files)

test('nothing changed, nothing runs', async () => {
  expect(await near()).toEqual({})
  expect(await besides()).toEqual({ journeys: [], long: [] })
})

test('only what changed is checked for format', async () => {
  expect(await near('docs/figures.md')).toEqual({ check: ['docs/figures.md'] })
})

test('a file of the server runs the tests of its folder, not those of its feature', async () => {
  const { check, server, ...others } = await near('server/src/features/accounts/sign-in/closing.ts')
  expect(check).toHaveLength(1)
  expect(others).toEqual({})
  expect(server).toContain('src/features/accounts/sign-in/sign-in.test.ts')
  expect(server?.every((path) => path.startsWith('src/features/accounts/sign-in/'))).toBe(true)
})

test('where a folder has no tests, those below it run, or those above it', async () => {
  const below = (await near('server/src/features/labelling/formats/write/coco.ts')).server
  expect(below).toContain('src/features/labelling/formats/round-trips.test.ts')
  expect((await near('server/src/features/payments/vip/pay.ts')).server).toContain(
    'src/features/payments/vip.test.ts',
  )
})

test('a page runs the tests of its feature, a shared part those that are called as it is', async () => {
  const { web } = await near('web/src/features/shop/stars.tsx')
  expect(web?.length).toBeGreaterThan(0)
  expect(web?.every((path) => path.startsWith('test/shop'))).toBe(true)
  expect((await near('web/src/ui/lazy-part.tsx')).web).toEqual(['test/lazy-part.test.tsx'])
  expect((await near('web/src/locales/ru/shop.json')).web).toEqual(['test/locales.test.ts'])
})

test('the contract runs as far as its modules reach, with the calls of the same name', async () => {
  const { contract, server } = await near('contract/src/shop.ts')
  expect(contract).toEqual(['--changed', 'main', '--passWithNoTests'])
  expect(server).toContain('src/features/shop/shop.test.ts')
  expect((await near('contract/locales/zh/report.json')).contract).toEqual([])
})

test('the engine runs the tests that are called as the file, else all of its own', async () => {
  expect((await near('engine/neuroloom_engine/data/volumes.py')).engine).toContain('test_volumes')
  expect((await near('engine/neuroloom_engine/unheard_of.py')).engine).toEqual([])
})

test('a tool runs the tests that name it', async () => {
  expect((await near('tools/test-changed.mjs')).server).toContain('test/changed.test.ts')
})

test('a test runs itself, a long one and a journey do not', async () => {
  const [short, long] = ['server/src/infra/jobs.test.ts', 'server/src/infra/jobs.long.test.ts']
  expect((await near(short, long, 'e2e/viewer.test.ts')).server).toEqual(['src/infra/jobs.test.ts'])
  expect(await near('e2e/viewer.test.ts')).not.toHaveProperty('e2e')
})

test('the journeys that a feature is part of are told, and all for what belongs to no feature', async () => {
  const { journeys, long } = await besides('server/src/features/accounts/profile.ts')
  expect(journeys).toEqual(expect.arrayContaining(['accounts.test.ts', 'pages.test.ts']))
  expect(journeys).not.toContain('dripe.test.ts')
  expect(long).toContain('server/src/features/accounts/sign-in/closing.long.test.ts')
  expect((await besides('server/src/http/body.ts')).journeys).toContain('dripe.test.ts')
})

test('tests beside the code touch no journey, and a journey touches itself', async () => {
  expect((await besides('web/test/login.test.tsx', 'e2e/long/tasks.test.ts')).journeys).toEqual([])
  expect((await besides('e2e/viewer.test.ts')).journeys).toEqual(['pages.test.ts', 'viewer.test.ts'])
})
