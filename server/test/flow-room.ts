/** A folder of its own for tests of reading flow: files go in, a table of recognition, a study or a refusal comes out. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlowAnswer, FlowProblem } from '@neuroloom/contract/flow/study'
import { type FlowFile, FlowRefusal } from '../src/infra/reader/flow/images.ts'
import { lookAtFlow } from '../src/infra/reader/flow/look.ts'
import { makeFlow } from '../src/infra/reader/flow/make.ts'
import { classicFiles, type MadeFile } from './flow-dicom.ts'
import { type FlowField, makeField } from './flow-field.ts'
import { putFiles } from './flow-files.ts'

const nothing: FlowAnswer = { series: [] }

export function flowRoom() {
  const root = mkdtempSync(join(tmpdir(), 'neuroloom-flow-'))
  const out = join(root, 'study')
  let folders = 0
  const put = (files: readonly MadeFile[]): FlowFile[] => {
    folders += 1
    return putFiles(join(root, String(folders)), files)
  }
  const making = (files: readonly FlowFile[], answer = nothing) =>
    makeFlow({ files, answer, out, folder: root, limitBytes: 2 ** 28 })
  return {
    out,
    put,
    making,
    look: (files: readonly MadeFile[]) => lookAtFlow(put(files)),
    /** What blocks; no file is left. */
    async refusalOf(files: readonly FlowFile[], answer = nothing): Promise<readonly FlowProblem[]> {
      rmSync(out, { force: true })
      const error = await making(files, answer).then(
        () => null,
        (reason: unknown) => reason,
      )
      if (!(error instanceof FlowRefusal)) throw error ?? new Error('A study was made')
      if (statSync(out, { throwIfNoEntry: false })) throw new Error('A file was left')
      return error.problems.filter(({ isBlocking }) => isBlocking)
    },
    clear: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Small enough to be written again and again. */
export const smallField = (change: Partial<FlowField> = {}): FlowField =>
  makeField({ size: [6, 5, 5], frames: 4, ...change })

export const siemens = (change: Partial<FlowField> = {}): MadeFile[] =>
  classicFiles(smallField(change), 'siemens')

export const without = (files: readonly MadeFile[], match: RegExp): MadeFile[] =>
  files.filter(({ name }) => !match.test(name))

/** Identifiers of the same length, wherever they stand. */
export const renamed = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
