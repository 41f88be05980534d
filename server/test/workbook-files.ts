import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../src/infra/reader/model.ts'
import { readWorkbook } from '../src/infra/reader/workbook/workbook.ts'

export const folder = mkdtempSync(join(tmpdir(), 'neuroloom-workbook-'))

export function open(bytes: Buffer, name = 'a.xlsx') {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  return readWorkbook(path, name)
}

export async function outcome(bytes: Buffer, name?: string): Promise<string> {
  try {
    await open(bytes, name)
    return 'opens'
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}
