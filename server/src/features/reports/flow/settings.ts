/** What was asked for, and by what the run can be traced: all settings, versions, and SHA-256 of what went in and came out. */
import { type FlowOption, type FlowOptionName, flowOptions } from '@neuroloom/contract/flow/options'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { factsBlock, textBlock } from './blocks.ts'
import { turnText } from './corrections.ts'
import type { FlowFacts } from './facts.ts'
import type { FlowWords } from './words.ts'

export function settingBlocks({ asked }: FlowFacts, words: FlowWords): ReportBlock[] {
  const { kinds, settings, fitOrder, seed, corrections, mask } = asked
  const names = Object.keys(flowOptions) as FlowOptionName[] // The table's own keys.
  const options = names.map((name) => ({
    label: words.option(`name.${name}`),
    value: optionText(name, settings[name], words),
  }))
  const { turn, offset, unwrap } = corrections
  return [
    { kind: 'facts', facts: options },
    factsBlock(
      [
        ['kinds', words.listed(kinds.map((kind) => words.option(`kind.${kind}`)))],
        ['fitOrder', words.option(`fitOrder.${fitOrder}`)],
        ['seed', String(seed)],
        ['offset', offset === null ? words.t('setting.none') : words.t('setting.order', { order: offset })],
        ['unwrap', words.t(unwrap ? 'setting.yes' : 'setting.no')],
        ['turn', turn === null ? words.t('step.asRecorded') : turnText(turn, words)],
        ['maskKind', words.t(`setting.mask.${mask.kind}`)],
        ['maskLevel', mask.kind === 'file' ? null : levelText(mask.level, words)],
        ['maskSeeds', mask.kind === 'file' || mask.grow.length === 0 ? null : seedsText(mask.grow)],
      ],
      words,
    ),
  ]
}

function optionText(name: FlowOptionName, value: number | string | boolean, words: FlowWords): string {
  const { unit }: FlowOption = flowOptions[name]
  if (typeof value === 'boolean') return words.t(value ? 'setting.yes' : 'setting.no')
  if (typeof value === 'string') return value.startsWith('#') ? value : words.option('bySpeed')
  const digits = Number.isInteger(value) ? 0 : value * 10 === Math.round(value * 10) ? 1 : 2
  return unit === null
    ? words.number(value, digits)
    : `${words.number(value, digits)} ${words.option(`unit.${unit}`)}`
}

const levelText = (level: number | null, words: FlowWords): string =>
  level === null ? words.t('setting.otsu') : words.said('share', level)

/** As people count. */
const seedsText = (grow: readonly (readonly number[])[]): string =>
  grow.map((place) => `(${place.map((one) => one + 1).join(', ')})`).join(' ')

/** In the order in which they are told; `flow_study` is the corrected study. */
const results = ['flow_study', 'flow_mask_values', 'flow_numbers', 'flow_lines', 'flow_derived'] as const

export function originBlocks(
  { run, study, results: { study: read }, asked, artifacts }: FlowFacts,
  words: FlowWords,
): ReportBlock[] {
  const versions = Object.entries(run.versions ?? {}).map(([name, version]) => `${name} ${version}`)
  return [
    textBlock(words.t('origin.text')),
    factsBlock(
      [
        ['runId', run.id],
        ['computed', words.date(run.endedAt)],
        ['software', versions.length === 0 ? null : `Neuroloom; ${versions.join(', ')}`, 'software'],
        ['device', run.computedOn],
        ['seed', String(asked.seed)],
        ['sources', read.sources],
        ['studyHash', study.sha256],
        ['finerWeights', study.head.sharpened?.weights ?? null],
        ['finerTraining', study.head.sharpened?.trainingId ?? null],
        ['finerRun', study.head.sharpened?.runId ?? null],
        ...results.map((kind) => [kind, artifacts.find((one) => one.kind === kind)?.sha256 ?? null] as const),
      ],
      words,
    ),
  ]
}
