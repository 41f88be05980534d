/** Blocks of a report of flow, as its sections build them. */
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { FlowWords } from './words.ts'

export type Table = Extract<ReportBlock, { kind: 'table' }>
type Row = Extract<ReportBlock, { kind: 'facts' }>['facts'][number]

/** `name` of `fact.<name>`, its value, and where the checklist finds it. Null leaves the row out. */
export type Told = readonly [name: string, value: string | null, anchor?: string | undefined]

export const factsBlock = (rows: readonly Told[], words: FlowWords): ReportBlock => ({
  kind: 'facts',
  facts: rows.flatMap(([name, value, anchor]): Row[] =>
    value === null
      ? []
      : [{ label: words.t(`fact.${name}`), value, ...(anchor === undefined ? {} : { anchor }) }],
  ),
})

export const textBlock = (text: string, anchor?: string): ReportBlock => ({
  kind: 'text',
  text,
  ...(anchor === undefined ? {} : { anchor }),
})

/** Nothing where there are none. */
export const notesBlock = (notes: readonly string[]): ReportBlock[] =>
  notes.length === 0 ? [] : [{ kind: 'notes', notes: [...notes] }]
