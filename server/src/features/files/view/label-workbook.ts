/** The sheets of a workbook, as labels of pictures are read of them: by the reading program, which alone ends of a hostile one. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { labelWorkbooks as limits, viewing } from '@neuroloom/contract/limits'
import type { ViewReason, Workbook } from '@neuroloom/contract/viewing'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import { readerFolder } from './folders.ts'

type Source = { path: string; sha256: string; sizeBytes: number }
type Answer = Pick<Workbook, 'sheets'> | { refused: 'workbook_too_large' | 'workbook_unreadable' }

export async function readLabelWorkbook(
  ctx: Context,
  { path: name, sha256, sizeBytes }: Source,
): Promise<Answer> {
  if (sizeBytes > limits.unpackedBytes) return { refused: 'workbook_too_large' }
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const path = join(folder, 'workbook')
    await ctx.storage.linkInto(sha256, path)
    const files = [{ path, name }]
    const task = {
      ...{ task: 'view' as const, asLabels: true, files, siblings: [] },
      ...{ out: folder, limitBytes: viewing.pixelBytes },
    }
    const options = { log: ctx.log, folder, timeMs: limits.readMs, mayWait: Number.POSITIVE_INFINITY }
    const answer = await read(task, options)
    if ('refused' in answer) return { refused: inShort(answer.refused) }
    // Written by our own program.
    return JSON.parse(await readFile(join(folder, answer.viewed.made ?? ''), 'utf8')) as Workbook
  } catch (error) {
    if (error instanceof ReaderFailure) return { refused: inShort(error.reason) }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const inShort = ({ name }: ViewReason) =>
  name === 'workbook_too_large' || name === 'too_slow' || name === 'too_much_memory'
    ? 'workbook_too_large'
    : 'workbook_unreadable'
