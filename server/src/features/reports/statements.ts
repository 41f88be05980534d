/** What people said of the study, and what nobody said yet. */
import type { ReportBlock } from '@neuroloom/contract/reports'
import { learnedStatements as questions } from '@neuroloom/contract/statement-names'
import type { Statement } from '@neuroloom/contract/statements'
import type { Facts } from './facts.ts'
import type { Words } from './words.ts'

/** They stand in the summary, which has a structure of its own. */
const inSummary: readonly Statement[] = ['aims', 'design', 'implications']

type Row = Extract<ReportBlock, { kind: 'facts' }>['facts'][number]

/** The lines of a summary that people alone can write. */
export function summaryRows(facts: Facts, words: Words): Row[] {
  return inSummary.flatMap((name) => rowOf(facts, words, name))
}

/** All answers, and in one line what is not stated. */
export function studyBlocks(facts: Facts, words: Words): ReportBlock[] {
  const rows = questions
    .filter((name) => !inSummary.includes(name))
    .flatMap((name) => rowOf(facts, words, name))
  // A table beside the data says it as well.
  const isTold = (name: Statement): boolean =>
    facts.statements[name] !== undefined || (name === 'demographics' && facts.people !== null)
  const missing = questions.filter((name) => !isTold(name))
  const names = missing.map((name) => words.say(`statement.${name}`)).join('; ')
  return [
    ...(rows.length > 0 ? [{ kind: 'facts' as const, facts: rows }] : []),
    ...(missing.length > 0 ? [{ kind: 'text' as const, text: words.say('study.notStated', { names }) }] : []),
  ]
}

function rowOf({ statements }: Facts, words: Words, name: Statement): Row[] {
  const value = statements[name]
  return value === undefined ? [] : [{ label: words.say(`statement.${name}`), value, anchor: name }]
}
