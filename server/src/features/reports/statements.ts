/** What people said of the study, how much of it, and what nobody said yet. */
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

/** How many questions are answered, in one line of the first page. */
export function answeredBlock(facts: Facts, words: Words): ReportBlock {
  const missing = missingOf(facts).length
  const of = questions.length
  return {
    kind: 'text',
    text: words.joined([
      words.say('study.answered', { answered: of - missing, of }),
      ...(missing > 0 ? [words.say('study.rest')] : []),
    ]),
  }
}

/** All answers but those of the summary. */
export function studyBlocks(facts: Facts, words: Words): ReportBlock[] {
  const rows = questions
    .filter((name) => !inSummary.includes(name))
    .flatMap((name) => rowOf(facts, words, name))
  return rows.length > 0 ? [{ kind: 'facts', facts: rows }] : []
}

/** What nobody has stated, before the checklist that asks for it. */
export function notStatedBlocks(facts: Facts, words: Words): ReportBlock[] {
  const names = missingOf(facts)
    .map((name) => words.say(`statement.${name}`))
    .join('; ')
  return names === '' ? [] : [{ kind: 'text', text: words.say('study.notStated', { names }) }]
}

function missingOf({ statements, people }: Facts): Statement[] {
  // A table beside the data says it as well.
  const isTold = (name: Statement): boolean =>
    statements[name] !== undefined || (name === 'demographics' && people !== null)
  return questions.filter((name) => !isTold(name))
}

function rowOf({ statements }: Facts, words: Words, name: Statement): Row[] {
  const value = statements[name]
  return value === undefined ? [] : [{ label: words.say(`statement.${name}`), value, anchor: name }]
}
