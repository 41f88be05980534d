/** A known flow in every convention that is read from DICOM and PAR/REC, and a study's file as it is read back. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FlowStudy, flowStudySchema } from '@neuroloom/contract/flow/study'
import { classicFiles, enhancedFiles, type MadeFile } from './flow-dicom.ts'
import type { FlowField } from './flow-field.ts'
import { parFiles } from './flow-par.ts'

export const conventions = {
  siemens: (field: FlowField) => classicFiles(field, 'siemens'),
  philips: (field: FlowField) => classicFiles(field, 'philips'),
  ge: (field: FlowField) => classicFiles(field, 'ge'),
  united_imaging: (field: FlowField) => classicFiles(field, 'united_imaging'),
  enhanced_siemens: (field: FlowField) => enhancedFiles(field, 'siemens'),
  enhanced_philips: (field: FlowField) => enhancedFiles(field, 'philips'),
  par_rec: parFiles,
} satisfies Record<string, (field: FlowField) => MadeFile[]>
export type Convention = keyof typeof conventions

export function putFiles(folder: string, files: readonly MadeFile[]): { path: string; name: string }[] {
  return files.map(({ name, bytes }) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    return { path, name }
  })
}

export type StudyRead = { study: FlowStudy; velocity: Int16Array; magnitude: Int16Array }

export function readStudy(path: string): StudyRead {
  const bytes = readFileSync(path)
  const length = Number(bytes.readBigUInt64LE(0))
  const head = JSON.parse(bytes.subarray(8, 8 + length).toString('utf8'))
  const tensor = (name: string): Int16Array => {
    const [from, to]: [number, number] = head[name].data_offsets
    const part = Buffer.from(new Uint8Array(bytes.subarray(8 + length + from, 8 + length + to)))
    return new Int16Array(part.buffer, part.byteOffset, part.length / 2)
  }
  return {
    study: flowStudySchema.parse(JSON.parse(head.__metadata__.flow)),
    velocity: tensor('velocity'),
    magnitude: tensor('magnitude'),
  }
}
