import { files as fileLimits, archives as limits } from '@neuroloom/contract/limits'
import { describe, expect, it } from 'vitest'
import type { FoundEntry } from './archive.ts'
import { bombWatch } from './bomb.ts'
import { planUnpack } from './plan.ts'

const said = { archiveName: 'scans.zip', archiveBytes: 1_000_000, depth: 0, encoding: null }

function planOf(count: number, entryOf: (index: number) => Partial<FoundEntry>) {
  async function* entries(): AsyncIterable<FoundEntry> {
    for (let index = 0; index < count; index += 1) {
      const plain = { index, name: '', kind: 'file', sizeBytes: 1, problem: null, modifiedAt: null } as const
      yield { ...plain, ...entryOf(index) }
    }
  }
  return planUnpack(entries(), said)
}

// Each took minutes, in which the worker did nothing else; now all of them are a second's work.
describe('an archive made to take time', () => {
  it('with one name twenty thousand times gets as many names', async () => {
    const plan = await planOf(limits.entries, () => ({ name: 'a/scan.png' }))
    const names = new Set(plan.files.map(({ name }) => name))
    expect(names.size).toBe(limits.entries)
    expect(names).toContain(`scan (${limits.entries}).png`)
  })

  it('with twenty thousand long names that are one once they are cut gets as many names', async () => {
    const start = 'n'.repeat(fileLimits.nameLength - 9)
    const plan = await planOf(limits.entries, (index) => ({ name: `a/${start}${index >> 1}.png` }))
    expect(new Set(plan.files.map(({ name }) => name)).size).toBe(limits.entries)
  })

  it('with paths of many thousand folders leaves those out', async () => {
    const long = 'a/'.repeat(1_000_000)
    const plan = await planOf(100, (index) => ({ name: index === 0 ? 'fine.png' : `${long}${index}.png` }))
    expect(plan.files.map(({ name }) => name)).toEqual(['fine.png'])
    expect(plan.report.leftOut[0]?.reason).toBe('too_deep')
  })

  it('with more folders than files may be is refused', async () => {
    const folders = 'abcdefghijklmnopqrst'.split('').join('/')
    const plan = planOf(limits.entries, (index) => ({ name: `${index}/${folders}/f.png` }))
    await expect(plan).rejects.toMatchObject({ failure: 'too_many' })
  })
})

describe('a packed archive whose entries have yet to be found', () => {
  const part = limits.bombBytes
  /** In steps of `bombBytes` that come of so many bytes each. */
  function flow(archiveBytes: number, { parts, elapsedMs }: { parts: number[]; elapsedMs: number }): void {
    const watch = bombWatch(archiveBytes)
    let readBytes = 0
    for (const [index, bytes] of parts.entries()) {
      readBytes += bytes
      watch({ readBytes, outBytes: (index + 1) * part, elapsedMs })
    }
  }
  const long = limits.lookedThroughMs + 1
  const poor = Math.floor(part / limits.ratio) - 1

  it('may hold what packs well, as long as it is soon looked through', () => {
    expect(() => flow(50_000_000, { parts: [poor, poor, poor], elapsedMs: 100 })).not.toThrow()
  })

  it('may be large, and is then looked through for as long as it takes', () => {
    expect(() =>
      flow(10 * part, { parts: new Array(20).fill(part / 2), elapsedMs: 100 * long }),
    ).not.toThrow()
  })

  it('is a bomb once it takes long and much comes of little, whatever came before', () => {
    expect(() => flow(10 * part, { parts: [part, part, poor], elapsedMs: long })).toThrow('bomb')
  })

  it('is a bomb at once where all of it could not hold so much', () => {
    expect(() => flow(1000, { parts: [10, 10], elapsedMs: 1 })).toThrow('bomb')
  })
})
