import type { Dataset } from '@neuroloom/contract/datasets'
import { type NamePart, partsOfName } from '@neuroloom/contract/reading/name-parts'
import type { PatientOrigin, PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { PatientGroups } from './patient-groups.tsx'
import { usePatientWords } from './patient-words.ts'
import styles from './patients.module.css'

type Props = { dataset: Dataset; origin: PatientOrigin; onPoint: (rule: PatientRule | null) => void }
/** From one part to another, by their places. */
type Range = { first: number; last: number }

/** Points at the part of a name that tells the patient, and shows what that would tell of all of them. */
export function NamePicker({ dataset, origin, onPoint }: Props) {
  const { t } = useTranslation('reading')
  const names = examplesOf(origin)
  const [example, setExample] = useState(names[0] ?? '')
  const [range, setRange] = useState<Range | null>(null)
  const parts = partsOfName(example)
  const choose = (next: Range | null, name: string) => {
    setRange(next)
    onPoint(next && ruleAt(name, next))
  }
  return (
    <div className={styles.picker}>
      {names.length > 1 && (
        <Select
          aria-label={t('picker.example')}
          value={example}
          options={names.map((value) => ({ value, label: value }))}
          onChange={(name) => {
            setExample(name)
            choose(null, name)
          }}
        />
      )}
      <p>{t('picker.text')}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is read before each part. */}
      <div role="group" aria-label={t('picker.parts', { name: example })} className={styles.parts}>
        {parts.map((part, index) =>
          part.kind === 'between' ? (
            <span key={part.from} data-chosen={isIn(range, index)}>
              {part.text}
            </span>
          ) : (
            <button
              key={part.from}
              type="button"
              aria-pressed={isIn(range, index)}
              onClick={() => choose(extended(range, index, parts), example)}
            >
              {part.text}
            </button>
          ),
        )}
      </div>
      {range && <Preview datasetId={dataset.id} rule={ruleAt(example, range)} />}
    </div>
  )
}

function Preview({ datasetId, rule }: { datasetId: string; rule: PatientRule }) {
  const { t } = useTranslation('reading')
  const { line } = usePatientWords()
  const { data } = useCall('datasets/patients', { id: datasetId, rule }, { keepPrevious: true })
  return (
    <div className={styles.preview}>
      <p role="status">{data ? line({ ...data, rule }) : t('picker.counting')}</p>
      {data && data.patients === 1 && <p>{t('picker.onlyOne')}</p>}
      {data && data.patients === data.items && data.items > 0 && <p>{t('picker.allDiffer')}</p>}
      <PatientGroups datasetId={datasetId} rule={rule} />
    </div>
  )
}

/** One of each make, and what was pointed at before. */
function examplesOf({ rule, samples }: PatientOrigin): string[] {
  const makes = new Map<string, string>()
  const all = [...(rule.by === 'name' ? [rule.example] : []), ...samples.map(({ name }) => name)]
  for (const name of all) {
    const make = partsOfName(name)
      .map(({ kind, text }) => (kind === 'digits' ? kind : text))
      .join(' ')
    if (!makes.has(make)) makes.set(make, name)
  }
  return [...makes.values()]
}

function ruleAt(example: string, { first, last }: Range): PatientRule {
  const parts = partsOfName(example)
  return { by: 'name', example, from: parts[first]?.from ?? 0, to: parts[last]?.to ?? example.length }
}

const isIn = (range: Range | null, index: number): boolean =>
  range !== null && index >= range.first && index <= range.last

/** A further part joins what is chosen, one at its end leaves it; another folder begins anew. */
function extended(range: Range | null, index: number, parts: readonly NamePart[]): Range | null {
  const alone = { first: index, last: index }
  if (range === null) return alone
  if (isIn(range, index)) {
    if (range.first === range.last) return null
    if (index === range.first) return { ...range, first: nextOf(parts, index, 1) }
    return { ...range, last: index === range.last ? nextOf(parts, index, -1) : index }
  }
  const joined = { first: Math.min(range.first, index), last: Math.max(range.last, index) }
  const between = parts.slice(joined.first, joined.last + 1)
  return between.some(({ kind, text }) => kind === 'between' && text.includes('/')) ? alone : joined
}

/** The nearest part that can be chosen. */
function nextOf(parts: readonly NamePart[], from: number, step: 1 | -1): number {
  let at = from + step
  while (parts[at]?.kind === 'between') at += step
  return at
}
