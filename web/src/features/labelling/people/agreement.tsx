import type { Answer } from '@neuroloom/contract/calls'
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { client } from '@neuroloom/contract/limits'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useLive } from '../../../lib/live.ts'
import { useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { besideOf } from './addresses.ts'
import styles from './people.module.css'

type Told = Answer<'labelling/agreement'>
type Pair = Told['pairs'][number]
type Named = { classes: readonly LabelClass[] }

/** How far each two readers agree, over all images and on each of them; what one decides between them begins here. */
export function Agreement({ set }: { set: LabelSet }) {
  const { t } = useTranslation('label-people')
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['labelling/agreement'] })
  const query = useCall(
    'labelling/agreement',
    { id: set.id },
    { quiet: true, refetchInterval: client.pollMs },
  )
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { state, pairs, images } = query.data
  return (
    <div className={styles.parts}>
      {state === 'working' && <Alert type="info" showIcon title={t('agreement.working')} />}
      {state === 'ready' && pairs.length === 0 && (
        <EmptyState title={t('agreement.none')} text={t('agreement.noneText')} />
      )}
      {pairs.map((pair) => (
        <PairPart key={`${pair.one} ${pair.other}`} pair={pair} classes={set.classes} />
      ))}
      {images.length > 0 && <Images setId={set.id} images={images} classes={set.classes} />}
    </div>
  )
}

function PairPart({ pair, classes }: { pair: Pair } & Named) {
  const { t } = useTranslation('label-people')
  const { kappa, boxes, unit } = pair
  const name = t('agreement.pair', { one: pair.one || t('you'), other: pair.other || t('you') })
  return (
    <Panel
      title={name}
      extra={t('agreement.images', { count: pair.images, shown: formatNumber(pair.images) })}
    >
      <dl className={styles.figures}>
        {kappa && (
          <div>
            <dt>{t('agreement.kappa')}</dt>
            <dd>
              {two(kappa.value)} <small>{rangeText(kappa.range)}</small>
              <small>
                {t('agreement.images', { count: kappa.images, shown: formatNumber(kappa.images) })}
              </small>
            </dd>
          </div>
        )}
        {boxes.one + boxes.other > 0 && (
          <div>
            <dt>{t('agreement.boxes')}</dt>
            <dd>
              {formatNumber(boxes.matched)}{' '}
              <small>
                {t('agreement.ofBoxes', { one: formatNumber(boxes.one), other: formatNumber(boxes.other) })}
              </small>
            </dd>
          </div>
        )}
      </dl>
      {pair.classes.length > 0 && (
        <ScrollRegion name={name} className={styles.wide}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>{t('agreement.class')}</th>
                <th>{t('agreement.dice')}</th>
                <th>{t('agreement.range')}</th>
                <th>{t('agreement.hausdorff', { unit: t(`agreement.unit.${unit}`) })}</th>
                <th>{t('agreement.distance', { unit: t(`agreement.unit.${unit}`) })}</th>
                <th>{t('agreement.n')}</th>
              </tr>
            </thead>
            <tbody>
              {pair.classes.map((one) => (
                <tr key={one.class}>
                  <th>
                    <ClassName id={one.class} classes={classes} />
                  </th>
                  <td>{two(one.dice)}</td>
                  <td>{rangeText(one.range)}</td>
                  <td>{two(one.hausdorff95)}</td>
                  <td>{two(one.meanDistance)}</td>
                  <td>{formatNumber(one.images)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <p className={styles.soft}>{t('agreement.about')}</p>
    </Panel>
  )
}

/** Decimals enough to tell readings apart; a figure that nobody can tell is a dash. */
const two = (value: number | null): string => (value === null ? '–' : formatNumber(value, 2))
const rangeText = (range: { low: number; high: number } | null): string =>
  range === null ? '–' : `${two(range.low)} … ${two(range.high)}`

type ImagesProps = { setId: string; images: Told['images'] } & Named

function Images({ setId, images, classes }: ImagesProps) {
  const { t } = useTranslation('label-people')
  return (
    <Panel title={t('agreement.byImage')}>
      <p className={styles.soft}>{t('agreement.byImageText')}</p>
      <ul className={styles.images}>
        {images.map(({ itemId, name, pairs }) => (
          <li key={itemId}>
            <span className={styles.head}>
              <strong>{name}</strong>
              <Link to={besideOf(setId, itemId)}>{t('agreement.compare')}</Link>
            </span>
            {pairs.map((pair) => (
              <PairLine key={`${pair.one} ${pair.other}`} {...{ pair, classes }} />
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type ImagePair = Told['images'][number]['pairs'][number]

/** Two readers on one image, in a line. */
export function PairLine({ pair, classes }: { pair: ImagePair } & Named) {
  const { t } = useTranslation('label-people')
  const { one, other, boxes, isSameTags, unit } = pair
  return (
    <span className={styles.line}>
      <span>{t('agreement.pair', { one: one || t('you'), other: other || t('you') })}</span>
      {isSameTags !== null && <span>{t(isSameTags ? 'agreement.sameTags' : 'agreement.otherTags')}</span>}
      {pair.classes.map((found) => (
        <span key={found.class}>
          <ClassName id={found.class} classes={classes} />{' '}
          {t('agreement.onImage', {
            ...{ dice: two(found.dice), distance: two(found.hausdorff95) },
            unit: t(`agreement.unit.${unit}`),
          })}
        </span>
      ))}
      {boxes.one + boxes.other > 0 && (
        <span>
          {t('agreement.boxesOnImage', {
            ...{ matched: formatNumber(boxes.matched), one: formatNumber(boxes.one) },
            other: formatNumber(boxes.other),
          })}
        </span>
      )}
    </span>
  )
}

function ClassName({ id, classes }: { id: string } & Named) {
  const found = classes.find((one) => one.id === id)
  return (
    <span className={styles.class}>
      <i style={{ background: found?.colour }} aria-hidden />
      {found?.name ?? '—'}
    </span>
  )
}
