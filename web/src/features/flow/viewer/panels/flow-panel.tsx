import type { RegionRule } from '@neuroloom/contract/flow/through'
import { flow as limits } from '@neuroloom/contract/limits'
import { Alert, Button, Checkbox, Input, Radio, Slider } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../../lib/format.ts'
import { Curve } from '../curve.tsx'
import type { Facts, MaskChoice } from '../numbers/asks.ts'
import { type Cut, flowsOf, type Sections, summaryOf, volumeProblem } from '../sections/use-sections.ts'
import styles from '../viewer.module.css'
import { centimetres, millilitres, millisecondsAt, squareMillimetres } from '../words.ts'
import { Fact } from './probe.tsx'

type FlowPanelProps = {
  facts: Facts
  frame: number
  mask: MaskChoice
  sections: Sections
  /** Waits for the second click where one was made; null where nothing is placed. */
  picking: 'first' | 'second' | null
  onHere: () => void
  onAcross: () => void
  /** Shows the plane itself. */
  onLook: (cut: Cut) => void
  onCsv: (mark: 'with mark' | 'without mark') => void
}

/** What flows through planes: how they are placed, curves, and numbers of the one that is chosen. */
export function FlowPanel(props: FlowPanelProps) {
  const { facts, frame, mask, sections, picking, onHere, onAcross, onLook, onCsv } = props
  const { t } = useTranslation('flow-view')
  const { head } = facts
  const { cuts, chosen } = sections
  const cut = cuts.find(({ number }) => number === chosen)
  const measured = cuts.filter(({ flow }) => flow !== null)
  const isFull = cuts.length >= limits.sections
  return (
    <div className={styles.stack}>
      <p className={styles.soft}>{t('flow.about')}</p>
      <div className={styles.row}>
        <Button disabled={isFull} onClick={onHere}>
          {t('flow.here')}
        </Button>
        <Button
          type={picking ? 'primary' : 'default'}
          disabled={isFull}
          aria-pressed={picking !== null}
          onClick={onAcross}
        >
          {t('flow.across')}
        </Button>
      </div>
      {isFull && <p className={styles.soft}>{t('flow.full', { count: limits.sections })}</p>}
      {picking && <p role="status">{t(`flow.click.${picking}`)}</p>}
      {measured.length > 0 && head.frames > 1 && (
        <Curve
          label={t('flow.curve')}
          unit={t('unit.mls')}
          x={head.times.map((_, at) => millisecondsAt(head, at))}
          xUnit={t('unit.ms')}
          at={frame}
          lines={measured.map((one) => ({
            name: one.name ?? t('flow.plane', { number: one.number }),
            values: flowsOf(one).map((value) => 1e6 * value),
          }))}
        />
      )}
      {cuts.length > 0 && <CutTable {...{ head, cuts, chosen }} onChoose={sections.choose} />}
      {cut && <Chosen {...{ head, cut, mask, sections, onLook }} />}
      {measured.length > 0 && <CurvesFile onCsv={onCsv} />}
      <p className={styles.soft}>{t('foot.research')}</p>
    </div>
  )
}

/** Excel takes a table for UTF-8 by its mark, at which other programs may stumble. */
function CurvesFile({ onCsv }: Pick<FlowPanelProps, 'onCsv'>) {
  const { t } = useTranslation('flow-view')
  const [hasMark, setMark] = useState(true)
  return (
    <div className={styles.row}>
      <Button onClick={() => onCsv(hasMark ? 'with mark' : 'without mark')}>{t('flow.csv')}</Button>
      <Checkbox checked={hasMark} onChange={({ target }) => setMark(target.checked)}>
        {t('flow.csvMark')}
      </Checkbox>
    </div>
  )
}

type TableProps = {
  head: Facts['head']
  cuts: readonly Cut[]
  chosen: number | null
  onChoose: (number: number) => void
}

function CutTable({ head, cuts, chosen, onChoose }: TableProps) {
  const { t } = useTranslation('flow-view')
  const hasVolume = volumeProblem(head) === null
  const rateName = head.frames === 1 ? 'flow.now' : 'flow.mean'
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('flow.planes')}</th>
          <th>{t(hasVolume ? 'flow.netBeat' : rateName)}</th>
          <th>{t('flow.area')}</th>
        </tr>
      </thead>
      <tbody>
        {cuts.map((cut) => {
          const summary = summaryOf(cut, head)
          const flow = flowsOf(cut)
          const mean = flow.reduce((sum, value) => sum + value, 0) / flow.length
          return (
            <tr key={cut.number} data-chosen={cut.number === chosen}>
              <th>
                <Button
                  size="small"
                  type="link"
                  aria-pressed={cut.number === chosen}
                  onClick={() => onChoose(cut.number)}
                >
                  {cut.name ?? t('flow.plane', { number: cut.number })}
                </Button>
              </th>
              <td>
                {cut.flow === null && '–'}
                {cut.flow && hasVolume && summary && t('ml', { value: millilitres(summary.net) })}
                {cut.flow && !hasVolume && t('mls', { value: millilitres(mean) })}
              </td>
              <td>{cut.flow ? t('mm2', { value: squareMillimetres(cut.flow.area) }) : '–'}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Pravdivtseva 2022: tubes with fewer voxels across came out more than 5 % too high. */
const ENOUGH_ACROSS = 7
const rules: RegionRule[] = ['exact', 'voxels']
const regions: Cut['region'][] = ['vessel', 'circle']
const MOST_RADIUS = 0.04

type ChosenProps = Pick<FlowPanelProps, 'mask' | 'sections' | 'onLook'> & { head: Facts['head']; cut: Cut }

function Chosen({ head, cut, mask, sections, onLook }: ChosenProps) {
  const { t } = useTranslation('flow-view')
  const change = (patch: Parameters<Sections['change']>[1]) => sections.change(cut.number, patch)
  const given = t('flow.plane', { number: cut.number })
  return (
    <section className={styles.chosen} aria-label={cut.name ?? given}>
      <Input
        aria-label={t('flow.name')}
        maxLength={limits.sectionNameLength}
        placeholder={given}
        value={cut.name ?? ''}
        onChange={({ target }) => change({ name: target.value.trim() === '' ? null : target.value })}
      />
      <Counted {...{ cut, mask, change }} />
      {cut.fault && <Alert type="warning" showIcon title={t(`flow.fault.${cut.fault}`)} />}
      {cut.flow && <Numbers head={head} cut={cut} flow={cut.flow} />}
      {cut.flow && cut.region === 'vessel' && (
        <p className={styles.soft}>
          {mask.isGiven ? t('flow.regionGiven') : t('flow.regionAbout', { level: formatPercent(mask.level) })}
        </p>
      )}
      <div className={styles.row}>
        <Button size="small" onClick={() => onLook(cut)}>
          {t('flow.look')}
        </Button>
        <Button size="small" onClick={() => change({ isTurned: !cut.isTurned })}>
          {t('flow.turn')}
        </Button>
        <Button size="small" danger onClick={() => sections.remove(cut.number)}>
          {t('flow.remove')}
        </Button>
      </div>
    </section>
  )
}

type CountedProps = Pick<ChosenProps, 'cut' | 'mask'> & {
  change: (patch: Parameters<Sections['change']>[1]) => void
}

/** Which region of the plane, and what of it. */
function Counted({ cut, mask, change }: CountedProps) {
  const { t } = useTranslation('flow-view')
  return (
    <div className={styles.field}>
      <span>{t('flow.region')}</span>
      <Radio.Group
        className={styles.radios ?? ''}
        aria-label={t('flow.region')}
        value={cut.region}
        onChange={({ target }) => change({ region: target.value })}
        options={regions.map((value) => ({
          value,
          label: t(`flow.regions.${value}`),
          disabled: value === 'vessel' && !mask.isOn,
        }))}
      />
      {cut.region === 'circle' && (
        <>
          <span>{t('flow.radius', { radius: formatNumber(1000 * cut.radius, 1) })}</span>
          <Slider
            min={1}
            max={1000 * MOST_RADIUS}
            step={0.5}
            value={1000 * cut.radius}
            ariaLabelForHandle={t('flow.radiusName')}
            onChange={(radius) => change({ radius: radius / 1000 })}
          />
        </>
      )}
      <span>{t('flow.rule')}</span>
      <Radio.Group
        className={styles.radios ?? ''}
        aria-label={t('flow.rule')}
        value={cut.rule}
        onChange={({ target }) => change({ rule: target.value })}
        options={rules.map((value) => ({ value, label: t(`flow.rules.${value}`) }))}
      />
    </div>
  )
}

function Numbers({ head, cut, flow }: { head: Facts['head']; cut: Cut; flow: NonNullable<Cut['flow']> }) {
  const { t } = useTranslation('flow-view')
  const summary = summaryOf(cut, head)
  const problem = volumeProblem(head)
  const peak = Math.max(...flow.frames.map((frame) => frame.peak))
  const peak99 = Math.max(...flow.frames.map((frame) => frame.peak99))
  const sign = cut.isTurned ? -1 : 1
  const mean =
    (sign * flow.frames.reduce((sum, { meanVelocity }) => sum + meanVelocity, 0)) / flow.frames.length
  const unknown = Math.max(...flow.frames.map((frame) => frame.unknown))
  return (
    <>
      <dl className={styles.facts}>
        {summary && problem === null && (
          <>
            <Fact name={t('flow.net')}>{t('ml', { value: millilitres(summary.net) })}</Fact>
            <Fact name={t('flow.forward')}>{t('ml', { value: millilitres(summary.forward) })}</Fact>
            <Fact name={t('flow.backward')}>{t('ml', { value: millilitres(summary.backward) })}</Fact>
            {summary.regurgitantFraction !== null && (
              <Fact name={t('flow.fraction')}>{formatPercent(summary.regurgitantFraction)}</Fact>
            )}
          </>
        )}
        {summary && <Fact name={t('flow.mean')}>{t('mls', { value: millilitres(summary.mean) })}</Fact>}
        {!summary && (
          <Fact name={t('flow.now')}>{t('mls', { value: millilitres(flowsOf(cut)[0] ?? 0) })}</Fact>
        )}
        <Fact name={t('flow.peak')}>{t('cms', { value: centimetres(peak) })}</Fact>
        <Fact name={t('flow.peak99')}>{t('cms', { value: centimetres(peak99) })}</Fact>
        <Fact name={t('flow.meanVelocity')}>{t('cms', { value: centimetres(mean) })}</Fact>
        <Fact name={t('flow.area')}>{t('mm2', { value: squareMillimetres(flow.area) })}</Fact>
        <Fact name={t('flow.acrossVoxels')}>{formatNumber(flow.across, 1)}</Fact>
      </dl>
      {problem && <p className={styles.soft}>{t(`flow.noVolume.${problem}`)}</p>}
      <p className={flow.across < ENOUGH_ACROSS ? styles.warn : styles.soft}>
        {t(flow.across < ENOUGH_ACROSS ? 'flow.few' : `flow.ruleAbout.${cut.rule}`)}
      </p>
      {unknown > 0 && <p className={styles.soft}>{t('flow.unknown', { share: formatPercent(unknown) })}</p>}
    </>
  )
}
