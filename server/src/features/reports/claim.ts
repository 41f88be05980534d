/** The checklist at the end of a report: what is answered, where it stands, and what nobody has said. */
import { askedFor, type ClaimItem, claimItems } from '@neuroloom/contract/claim'
import type { Report, ReportBlock } from '@neuroloom/contract/reports'
import type { Facts } from './facts.ts'
import type { Words } from './words.ts'

type Checklist = Extract<ReportBlock, { kind: 'checklist' }>
type Item = Checklist['items'][number]

/** An item counts as answered only where its place is really in these sections. */
export function checklistOf(facts: Facts, words: Words, sections: Report['sections']): Checklist {
  const places = anchorsOf(sections)
  const items = claimItems.map((item, index) => itemOf(item, index + 1, { facts, words, places }))
  const apply = items.filter(({ state }) => state !== 'notApplicable')
  const answered = apply.filter(({ state }) => state === 'answered')
  return {
    kind: 'checklist',
    caption: words.say('claim.caption'),
    text: words.say('claim.text', { answered: answered.length, of: apply.length }),
    items,
    page: words.say('claim.page'),
  }
}

export function anchorsOf(sections: Report['sections']): Set<string> {
  const found = new Set<string>()
  for (const { id, blocks } of sections) {
    found.add(id)
    for (const block of blocks) {
      if (block.kind === 'facts')
        for (const { anchor } of block.facts) {
          if (anchor) found.add(anchor)
        }
      else if ((block.kind === 'text' || block.kind === 'table') && block.anchor) found.add(block.anchor)
    }
  }
  return found
}

type Around = { facts: Facts; words: Words; places: Set<string> }

function itemOf(item: ClaimItem, number: number, { facts, words, places }: Around): Item {
  const question = item in askedFor ? askedFor[item as keyof typeof askedFor] : null
  const own = { number, item, name: words.say(`item.${item}`) }
  // A summary without design and conclusion is none.
  const needed = item === 'summary' ? (['design', 'implications'] as const) : []
  const missing = needed.find((name) => !places.has(name))
  const anchor = missing === undefined ? placesOf(item).find((one) => places.has(one)) : undefined
  if (anchor !== undefined) {
    return { ...own, state: 'answered', note: words.say('claim.answered'), anchor, question: null }
  }
  const reason = reasonOf(item, facts)
  if (reason !== null) {
    const note = words.say('claim.notApplicable', { reason: words.say(`reason.${reason}`) })
    return { ...own, state: 'notApplicable', note, anchor: null, question: null }
  }
  const asked = question ?? missing ?? null
  return { ...own, state: 'notStated', note: words.say('claim.notStated'), anchor: null, question: asked }
}

/** Where items stand that are not told by an answer of the same question. */
const elsewhere = {
  summary: ['summary'],
  deidentification: ['deidentification', 'deidentified'],
  partitions: ['split'],
  disjoint: ['split'],
  model: ['network'],
  training: ['settings'],
  numbers: ['data'],
  demographics: ['characteristics', 'demographics'],
  performance: ['results'],
  failures: ['pictures'],
  limitations: ['limits'],
} as const satisfies Partial<Record<ClaimItem, readonly string[]>>

function placesOf(item: ClaimItem): readonly string[] {
  if (item in elsewhere) return elsewhere[item as keyof typeof elsewhere]
  return [item in askedFor ? askedFor[item as keyof typeof askedFor] : item]
}

/** Why nobody need answer it. */
function reasonOf(item: ClaimItem, { test, isCross, beside }: Facts): string | null {
  const drawsNothing = test.task === 'classification' || test.task === 'multilabel'
  if (item === 'explainability' && isCross && drawsNothing) return 'crossHeat'
  if (item === 'explainability') return drawsNothing ? 'noHeat' : 'explainability'
  if (item === 'external') return beside.every(({ isInternal }) => isInternal) ? 'external' : null
  if (item === 'diagnostic') return drawsNothing || test.task === 'detection' ? null : 'diagnostic'
  return null
}
