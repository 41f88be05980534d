/** What people said of the scan and the study behind a flow run, and what nobody said yet. */
import { flowAskedFor, flowOfScans } from '@neuroloom/contract/flow/checklist'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { flowStatements } from '@neuroloom/contract/statement-names'
import type { Statement } from '@neuroloom/contract/statements'
import { textBlock } from './blocks.ts'
import { type FlowFacts, isKnownFlow } from './facts.ts'
import type { FlowWords } from './words.ts'

/** They stand in the summary and among the limits. */
const elsewhere: readonly Statement[] = ['aims', 'limitations']

export function studyBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const { statements } = facts
  const rows = flowStatements.flatMap((name) => {
    const value = statements[name]
    return value === undefined || elsewhere.includes(name)
      ? []
      : [{ label: words.t(`statement.${name}`), value, anchor: name }]
  })
  const missing = flowStatements.filter((name) => statements[name] === undefined && isAsked(name, facts))
  const names = words.listed(missing.map((name) => words.t(`statement.${name}`)))
  return [
    ...(rows.length > 0 ? [{ kind: 'facts' as const, facts: rows }] : []),
    ...(missing.length > 0 ? [textBlock(words.t('study.notStated', { names }))] : []),
  ]
}

/** Of a known flow nobody asks for scanner and persons. */
function isAsked(name: Statement, facts: FlowFacts): boolean {
  if (!isKnownFlow(facts)) return true
  const items = Object.entries(flowAskedFor).filter(([, question]) => question === name)
  return items.length === 0 || items.some(([item]) => !flowOfScans.some((one) => one === item))
}
