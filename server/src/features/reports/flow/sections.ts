/** What the report of a flow run says, section by section: data in, blocks of words, tables and drawings out. */
import type { Report, ReportBlock, ReportSection } from '@neuroloom/contract/reports'
import { checklistOf } from './checklist.ts'
import { correctionBlocks } from './corrections.ts'
import type { FlowFacts } from './facts.ts'
import { qualityBlocks } from './lights.ts'
import { limitBlocks } from './limits.ts'
import { methodBlocks } from './methods.ts'
import { planeBlocks } from './planes.ts'
import { resultBlocks } from './results.ts'
import { scanBlocks } from './scan.ts'
import { originBlocks, settingBlocks } from './settings.ts'
import { studyBlocks } from './statements.ts'
import { summaryBlocks } from './summary.ts'
import type { FlowWords } from './words.ts'

/** `urlOf`: where a kept picture is found; null leaves it out. */
export function sectionsOf(
  facts: FlowFacts,
  words: FlowWords,
  urlOf: (figure: FlowFacts['figures'][number]) => string | null,
): Report['sections'] {
  const section = (id: ReportSection, blocks: ReportBlock[]) => ({
    id,
    title: words.t(`section.${id}`),
    blocks,
  })
  const sections = [
    section('summary', summaryBlocks(facts, words)),
    section('scan', scanBlocks(facts, words)),
    section('study', studyBlocks(facts, words)),
    section('planes', planeBlocks(facts, words)),
    section('results', resultBlocks(facts, words)),
    section('pictures', pictureBlocks(facts, words, urlOf)),
    section('quality', qualityBlocks(facts, words)),
    section('corrections', correctionBlocks(facts, words)),
    section('methods', methodBlocks(facts, words)),
    section('settings', settingBlocks(facts, words)),
    section('limits', limitBlocks(facts, words)),
    section('origin', originBlocks(facts, words)),
  ].filter(({ blocks }) => blocks.length > 0)
  return [...sections, section('claim', [checklistOf(facts, words, sections)])]
}

function pictureBlocks(
  { figures }: FlowFacts,
  words: FlowWords,
  urlOf: (figure: FlowFacts['figures'][number]) => string | null,
): ReportBlock[] {
  const pictures = figures.flatMap((figure, index) => {
    const url = urlOf(figure)
    const name = words.t('pictures.name', { number: index + 1 })
    return url === null ? [] : [{ url, heat: null, name, caption: figure.caption }]
  })
  return pictures.length === 0
    ? []
    : [{ kind: 'pictures', isLarge: true, text: words.t('pictures.text'), pictures }]
}
