import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { phantomRanges } from '@neuroloom/contract/flow/phantoms'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { runAddress } from '../address.ts'
import { useSourceText } from '../studies/use-source-text.ts'
import { rateOf, sizeText, spacingText, stepOf, toCm, toMs } from '../words.ts'
import { directionOf } from './direction-of.ts'
import styles from './study.module.css'

/** Size, time and VENC of a study, and where it comes from. */
export function StudyFacts({ study, head }: { study: FlowDetail; head: FlowStudy }) {
  const { t } = useTranslation('flow')
  const sourceText = useSourceText()
  const step = stepOf(head.times)
  const { period } = head
  const { phantom } = study
  const snr = phantom?.scan.snr
  const { sharpened } = head
  return (
    <dl className={styles.facts} aria-label={t('head.label')}>
      <Fact name={t('head.size')}>{t('head.sizeValue', { size: sizeText(head.size) })}</Fact>
      <Fact name={t('head.spacing')}>{t('timing.spacingValue', { spacing: spacingText(head.spacing) })}</Fact>
      <Fact name={t('head.frames')}>{formatNumber(head.frames)}</Fact>
      {step !== null && (
        <Fact name={t('head.step')}>{t('timing.stepValue', { value: formatNumber(step * 1000, 1) })}</Fact>
      )}
      {period !== null && (
        <Fact name={t('head.period')}>
          {t('head.periodValue', { value: formatNumber(toMs(period)), rate: formatNumber(rateOf(period)) })}
        </Fact>
      )}
      <Fact name={t('head.venc')}>
        <Venc head={head} />
      </Fact>
      <Fact name={t('head.source')}>
        {sourceText(head.source, head.vendor)}
        {phantom && ` · ${t(`flow.${phantom.name}.name`)}`}
        {study.fromId !== null && <Files id={study.fromId} />}
        {sharpened && (
          <>
            {' · '}
            <Link to={runAddress(sharpened.runId)}>{t('learned.toRun')}</Link>
            {' · '}
            <Link to={runAddress(sharpened.trainingId)}>{t('learned.toTraining')}</Link>
          </>
        )}
      </Fact>
      {snr !== undefined && (
        <Fact name={t('scan.snr')}>
          {snr < phantomRanges.snr.max ? formatNumber(snr) : t('head.noNoise')}
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** One number where it is the same in all directions. */
function Venc({ head }: { head: FlowStudy }) {
  const { t } = useTranslation('flow')
  const shown = head.venc.map((venc) => formatNumber(toCm(venc), 1))
  if (new Set(shown).size === 1) return t('head.vencValue', { value: shown[0] })
  const each = head.directions.map((vector, at) =>
    t('head.vencOf', { direction: t(`direction.${directionOf(vector, head)}`), value: shown[at] }),
  )
  return t('head.vencValue', { value: each.join(' · ') })
}

/** A link to the folder or the file, while it is there. */
function Files({ id }: { id: string }) {
  const query = useCall('files/properties', { id }, { quiet: true })
  if (!query.data) return null
  const { kind, name } = query.data.entry
  const address = `/cloudFile?${new URLSearchParams(kind === 'folder' ? { id } : { file: id })}`
  return (
    <>
      {' · '}
      <Link to={address}>{name}</Link>
    </>
  )
}
