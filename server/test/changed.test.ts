/** `npm test -- changed`: what a change can touch is run, in doubt more. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const names = ['check', 'contract', 'engine', 'server', 'web', 'size', 'e2e']
type Parts = [string, string[]][]

async function partsFor(...files: string[]): Promise<Record<string, string[][]>> {
  // Plain JavaScript, which says nothing of its types.
  const tool = (await import(join(root, 'tools/test-changed.mjs'))) as {
    partsFor(files: string[], options: { base: string; names: string[] }): Parts
  }
  const found: Record<string, string[][]> = {}
  for (const [name, only] of tool.partsFor(files, { base: 'main', names })) {
    found[name] = [...(found[name] ?? []), only]
  }
  return found
}
const related = ['--changed', 'main', '--passWithNoTests']
const whole = [[]]

test('nothing changed, nothing runs', async () => {
  expect(await partsFor()).toEqual({})
})

test.each(['package-lock.json', 'tools/setup.mjs', 'tsconfig.base.json', '.ci/run'])(
  '%s may change everything',
  async (file) => {
    expect(await partsFor(file)).toEqual(Object.fromEntries(names.map((name) => [name, whole])))
  },
)

test('a feature of the server runs what imports it, what starts the product, and its journeys', async () => {
  const { check, server, e2e, ...others } = await partsFor('server/src/features/accounts/profile.ts')
  expect([check, others]).toEqual([whole, {}])
  expect(server?.[0]).toEqual(related)
  expect(server?.[1]).toEqual(expect.arrayContaining(['test/start.test.ts']))
  expect(e2e).toEqual([expect.arrayContaining(['accounts.test.ts', 'pages.test.ts'])])
  expect(e2e?.[0]).not.toContain('dripe.test.ts')
})

test.each([
  'server/src/worker.ts',
  'server/src/infra/reader/picture/tiff.ts',
  'server/src/infra/own-script.ts',
])('%s runs as a program of its own, which no test imports', async (file) => {
  expect((await partsFor(file)).server).toEqual(whole)
})

test('the engine is held against the contract, and the contract against the engine', async () => {
  const ofEngine = await partsFor('engine/neuroloom_engine/graphs.py')
  expect(ofEngine).toMatchObject({ contract: whole, engine: whole, server: whole })
  const ofContract = await partsFor('contract/src/network/code/code.ts')
  expect(ofContract).toMatchObject({ contract: [related], engine: whole, web: [related], size: whole })
})

test.each(['bench/client.ts', 'server/test/images.ts', 'e2e/browser.ts'])(
  '%s is used by journeys, and runs them all',
  async (file) => {
    expect((await partsFor(file)).e2e).toEqual(whole)
  },
)

test.each(['server/migrations/001_start.sql', 'contract/wire/catalogue.json'])(
  '%s is read, not imported: no graph of modules leads to what reads it',
  async (file) => {
    expect((await partsFor(file)).server).toEqual(whole)
  },
)

test('a journey of its own, and tests beside the code, run no other journey', async () => {
  expect((await partsFor('e2e/viewer.test.ts')).e2e).toEqual([['pages.test.ts', 'viewer.test.ts']])
  expect((await partsFor('web/test/login.test.tsx', 'e2e/long/tasks.test.ts')).e2e).toBeUndefined()
})
