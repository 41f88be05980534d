import type { Three } from '@neuroloom/contract/flow/slice'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { type Choice, voxelAt } from '../choice.ts'
import { Curve } from '../curve.tsx'
import type { FlowWorker } from '../numbers/ask-worker.ts'
import type { Facts, Picture } from '../numbers/asks.ts'
import { sightOf } from '../numbers/sight.ts'
import { patientPlace } from '../numbers/view-plane.ts'
import styles from '../viewer.module.css'
import { centimetres, millisecondsAt, placeText } from '../words.ts'

type ProbeProps = { facts: Facts; choice: Choice; picture: Picture; worker: FlowWorker }

/** What is known of the voxel under the cursor. */
export function Probe({ facts: { head }, choice, picture, worker }: ProbeProps) {
  const { t } = useTranslation('flow-view')
  const voxel = voxelAt(head, choice.place)
  const velocities = useVelocities(worker, voxel, choice.isBefore)
  if (!choice.hasCursor) return <p className={styles.soft}>{t('probe.hint')}</p>
  const now = velocities?.[choice.frame]
  const axes = head.isPlaced ? (['toRight', 'toFront', 'toHead'] as const) : (['x', 'y', 'z'] as const)
  const omega = valueAt(picture.vortex?.omega ?? [], { head, choice, picture })
  const isKnown = now?.every(Number.isFinite) === true
  return (
    <div className={styles.probe}>
      <dl className={styles.facts}>
        <Fact name={head.isPlaced ? t('probe.place') : t('probe.placeGrid')}>
          {t('probe.mm', { place: placeText(head, patientPlace(head, choice.place)) })}
        </Fact>
        {voxel && <Fact name={t('probe.voxel')}>{voxel.map((value) => value + 1).join(', ')}</Fact>}
        {isKnown ? (
          <>
            <Fact name={t('probe.speed')}>{t('cms', { value: centimetres(Math.hypot(...now)) })}</Fact>
            {axes.map((axis, at) => (
              <Fact key={axis} name={t(`probe.${axis}`)}>
                {t('cms', { value: centimetres(now[at] ?? 0) })}
              </Fact>
            ))}
          </>
        ) : (
          <Fact name={t('probe.speed')}>{t('probe.none')}</Fact>
        )}
        {picture.map && <MapFact {...{ head, choice, picture }} />}
        {picture.vortex && (
          <Fact name={t('probe.omega')}>
            {Number.isFinite(omega) ? t('perSecond', { value: formatNumber(omega, 1) }) : t('probe.none')}
          </Fact>
        )}
      </dl>
      {velocities && head.frames > 1 && (
        <Curve
          label={t('probe.curve')}
          unit={t('unit.cms')}
          x={head.times.map((_, frame) => millisecondsAt(head, frame))}
          xUnit={t('unit.ms')}
          at={choice.frame}
          lines={[
            { name: t('probe.speed'), values: velocities.map((velocity) => 100 * Math.hypot(...velocity)) },
            ...axes.map((axis, at) => ({
              name: t(`probe.${axis}`),
              values: velocities.map((velocity) => 100 * (velocity[at] ?? 0)),
            })),
          ]}
        />
      )}
    </div>
  )
}

export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type MapFactProps = { head: Facts['head']; choice: Choice; picture: Picture }

function MapFact({ head, choice, picture }: MapFactProps) {
  const { t } = useTranslation('flow-view')
  if (!picture.map) return null
  const { name, values } = picture.map
  const value = valueAt(values, { head, choice, picture })
  const unit = name === 'energy' ? 'unit.energy' : 'unit.perSecondSquare'
  return (
    <Fact name={t(`bar.${name}`)}>
      {Number.isFinite(value) ? `${formatNumber(value, 1)} ${t(unit)}` : t('probe.none')}
    </Fact>
  )
}

/** Of the sample at the cursor; NaN beside the picture. */
export function valueAt(values: ArrayLike<number>, { head, choice, picture }: MapFactProps): number {
  const sample = sightOf(head, picture).toShown(choice.place)
  const [column, row] = [Math.round(sample.column), Math.round(sample.row)]
  const isIn = column >= 0 && row >= 0 && column < picture.width && row < picture.height
  return (isIn ? values[row * picture.width + column] : undefined) ?? Number.NaN
}

/** Null until they came, and outside of the study. */
function useVelocities(worker: FlowWorker, voxel: Three | null, isBefore: boolean): Three[] | null {
  const [velocities, setVelocities] = useState<Three[] | null>(null)
  const key = voxel?.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which voxel
  useEffect(() => {
    if (!voxel) return setVelocities(null)
    let isGone = false
    worker.ask('probe', { voxel, isBefore }).then(
      (curve) => !isGone && setVelocities(curve.velocities),
      (error) => console.error(error),
    )
    return () => {
      isGone = true
    }
  }, [worker, key, isBefore])
  return velocities
}
