import type { FileRecord } from '@neuroloom/contract/files'
import { describe, expect, it } from 'vitest'
import { foldedRecords } from '../../src/features/files/folded-records.ts'

const record = (id: number, changes: Partial<FileRecord> = {}): FileRecord => ({
  ...{ id, action: 'upload', actor: 'Radiology', name: `cell-${id}.jpg`, entryId: null, detail: {} },
  at: `2026-03-01T08:15:${String(id).padStart(2, '0')}.000Z`,
  ...changes,
})
const sizes = (records: FileRecord[]) => foldedRecords(records).map((run) => run.length)

describe('records of many files', () => {
  const many = Array.from({ length: 8 }, (_, id) => record(id))

  it('are one row, in which no file is lost', () => {
    expect(foldedRecords(many)).toEqual([many])
    expect(sizes(many.slice(0, 3))).toEqual([1, 1, 1])
  })

  it('stay apart by person, minute, deed and place', () => {
    const others = many.map((one) => ({ ...one, actor: 'Registrar' }))
    const later = many.map((one) => ({ ...one, at: one.at.replace('08:15', '08:16') }))
    const elsewhere = many.map((one) => ({ ...one, detail: { to: 'Archive' } }))
    expect(sizes([...many, ...others, ...later, ...elsewhere])).toEqual([8, 8, 8, 8])
    const sick = many.map((one) => ({ ...one, detail: { to: 'sick' } }))
    const well = many.map((one) => ({ ...one, detail: { to: 'well' } }))
    expect(sizes([...sick, ...well])).toEqual([8, 8])
    const removed = many.map((one) => ({ ...one, action: 'remove' as const }))
    expect(sizes(removed)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })
})
