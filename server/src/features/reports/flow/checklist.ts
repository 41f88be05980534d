/** The checklist at the end: what a paper with 4D flow must report, where it stands, and what nobody has said. */
import { type FlowItem, flowAskedFor, flowItems, flowOfScans } from '@neuroloom/contract/flow/checklist'
import type { Report, ReportBlock } from '@neuroloom/contract/reports'
import { anchorsOf } from '../claim.ts'
import { beatReason, type FlowFacts, isKnownFlow } from './facts.ts'
import type { FlowWords } from './words.ts'

type Checklist = Extract<ReportBlock, { kind: 'checklist' }>
type Item = Checklist['items'][number]

/** An item counts as answered only where its place is really in these sections. */
export function checklistOf(facts: FlowFacts, words: FlowWords, sections: Report['sections']): Checklist {
  const places = anchorsOf(sections)
  const items = flowItems.map((item, index) => itemOf(item, index + 1, { facts, words, places }))
  const apply = items.filter(({ state }) => state !== 'notApplicable')
  const answered = apply.filter(({ state }) => state === 'answered')
  return {
    kind: 'checklist',
    caption: words.t('checklist.caption'),
    text: words.t('checklist.text', { answered: answered.length, of: apply.length }),
    items,
    page: words.t('checklist.page'),
  }
}

type Around = { facts: FlowFacts; words: FlowWords; places: ReadonlySet<string> }

function itemOf(item: FlowItem, number: number, { facts, words, places }: Around): Item {
  const own = { number, item, name: words.t(`item.${item}`) }
  const anchor = placesOf(item).find((one) => places.has(one))
  if (anchor !== undefined) {
    return { ...own, state: 'answered', note: words.t('checklist.answered'), anchor, question: null }
  }
  const reason = reasonOf(item, facts)
  if (reason !== null) {
    const note = words.t('checklist.notApplicable', { reason: words.t(`reason.${reason}`) })
    return { ...own, state: 'notApplicable', note, anchor: null, question: null }
  }
  const question = item in flowAskedFor ? flowAskedFor[item as keyof typeof flowAskedFor] : null
  return { ...own, state: 'notStated', note: words.t('checklist.notStated'), anchor: null, question }
}

/** Where items stand that the report answers by itself, or where an answer has another name. */
const elsewhere = {
  aims: ['aims'],
  manufacturer: ['manufacturer', 'scanner'],
  scannerSoftware: ['scanner'],
  resolution: ['resolution'],
  frames: ['frames'],
  fieldOfView: ['fieldOfView'],
  venc: ['venc'],
  gating: ['gating', 'gated'],
  heartRate: ['heartRate', 'gating'],
  background: ['background'],
  unwrapping: ['steps'],
  directions: ['directions'],
  segmentation: ['segmentation'],
  planes: ['planesHow'],
  region: ['region'],
  parameters: ['definitions'],
  software: ['software'],
  visualisation: ['settings'],
  quality: ['quality'],
  consistency: ['consistency'],
  limitations: ['limits'],
} as const satisfies Partial<Record<FlowItem, readonly string[]>>

function placesOf(item: FlowItem): readonly string[] {
  if (item in elsewhere) return elsewhere[item as keyof typeof elsewhere]
  return item in flowAskedFor ? [flowAskedFor[item as keyof typeof flowAskedFor]] : []
}

/** Why nobody need answer it. */
function reasonOf(item: FlowItem, facts: FlowFacts): string | null {
  if (isKnownFlow(facts) && flowOfScans.includes(item)) return 'known'
  if (item === 'heartRate' && beatReason(facts.study.head) === 'oneFrame') return 'oneFrame'
  if ((item === 'planes' || item === 'region') && facts.sections.length === 0) return 'noPlanes'
  return item === 'consistency' && facts.massBalance === null ? 'onePlane' : null
}
