import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { viewing } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { niftiVolume } from '../../../test/images.ts'
import { createLog } from '../log.ts'
import { guards, ReaderBusy, ReaderFailure, read } from './reader.ts'
import type { Task } from './tasks.ts'

const log = createLog('silent', 'test')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-reader-'))
  await writeFile(join(folder, 'brain.nii.gz'), niftiVolume({ size: [8, 8, 8] }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const task = (): Extract<Task, { task: 'view' }> => ({
  task: 'view',
  files: [{ path: join(folder, 'brain.nii.gz'), name: 'brain.nii.gz' }],
  siblings: [],
  out: folder,
  limitBytes: viewing.pixelBytes,
})
const options = (timeMs = 30_000) => ({ log, folder, timeMs, mayWait: 5 })

describe('the reading program', () => {
  it('answers and ends', async () => {
    const answer = await read(task(), options())
    expect(answer).toMatchObject({ viewed: { kind: 'volume', facts: { size: [8, 8, 8, 1] } } })
  })

  it('is ended when its time is over, and when nobody wants the answer any more', async () => {
    const late = await read(task(), options(1)).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(ReaderFailure)
    expect(late).toMatchObject({ reason: { name: 'too_slow' } })
    const given = new AbortController()
    const asked = read(task(), { ...options(), signal: given.signal }).catch((error: unknown) => error)
    given.abort(new Error('given up'))
    expect(await asked).toMatchObject({ message: 'given up' })
  })

  it('refuses more than may wait', async () => {
    const asked = Array.from({ length: viewing.atOnce + 1 }, () => read(task(), { ...options(), mayWait: 0 }))
    const outcomes = await Promise.allSettled(asked)
    const busy = outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof ReaderBusy)
    expect(busy).toHaveLength(1)
  })

  it('reads and writes nothing outside of its folder, and starts no other program', () => {
    const probe = join(folder, 'probe.cjs')
    const outcome = (code: string): string => {
      writeFileSync(probe, `try { ${code}; console.log('done') } catch (error) { console.log(error.code) }`)
      const { stdout, stderr } = spawnSync(process.execPath, [...guards(folder), probe], { encoding: 'utf8' })
      return stdout.trim() || stderr
    }
    const own = JSON.stringify(join(folder, 'brain.nii.gz'))
    expect(outcome(`require('fs').readFileSync(${own})`)).toBe('done')
    // Packages lie where npm put them, at the top or beside the server.
    const room = JSON.stringify(fileURLToPath(new URL('../../../package.json', import.meta.url)))
    for (const name of ['yauzl', 'sax'])
      expect(outcome(`require('module').createRequire(${room})('${name}')`), name).toBe('done')
    expect(outcome(`require('fs').readFileSync('/etc/passwd')`)).toBe('ERR_ACCESS_DENIED')
    expect(outcome(`require('fs').writeFileSync('/tmp/neuroloom-escaped', '')`)).toBe('ERR_ACCESS_DENIED')
    expect(outcome(`require('child_process').spawnSync('true')`)).toBe('ERR_ACCESS_DENIED')
  })
})
