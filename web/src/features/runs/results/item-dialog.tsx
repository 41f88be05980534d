import { mainMetric } from '@neuroloom/contract/metric'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatMetric } from '../../../lib/metric.ts'
import type { LightboxToggle } from '../../../ui/pictures/lightbox.tsx'
import { HeatPicture } from '../evidence/heat-picture.tsx'
import { BoxLabels } from './box-labels.tsx'
import type { Hidden } from './drawn-outlines.tsx'
import type { Item } from './item-kind.ts'
import { itemKind, overlayContext } from './item-kind.ts'
import { itemMetric } from './item-metric.ts'
import { ItemWords } from './item-words.tsx'
import styles from './items.module.css'
import { MetricName } from './metric-name.tsx'
import { orderedMetrics } from './metrics.ts'
import { BoxLegend, OutlineLegend, OverlayLegend } from './overlay-legend.tsx'
import { bareOf, PictureDialog, PicturesBeside, type View } from './picture-dialog.tsx'
import { RestoredLarge } from './restored-large.tsx'

type Props = { item: Item; run: Pick<LearnedRun, 'task' | 'classes'> }

type DialogProps = Pick<Props, 'run'> &
  Pick<Parameters<typeof PictureDialog>[0], 'item' | 'items' | 'viewer' | 'onOpen'>

/** One picture large: as it is, with outlines or boxes where there are any, or before and after. */
export function ItemDialog({ item, items, run, viewer = null, onOpen }: DialogProps) {
  const { t } = useTranslation('runs')
  const [hidden, setHidden] = useState<Hidden>({ truth: false, predicted: false })
  const metric = itemMetric(run.task)
  return (
    <PictureDialog
      item={item}
      items={items}
      viewer={viewer}
      onOpen={onOpen}
      scoreOf={({ score }) =>
        score === null || itemKind[run.task] === 'class'
          ? null
          : `${t(`metric.${metric}.name`)} ${formatMetric(metric, score)}`
      }
      toggles={useToggles({ item, run, hidden, onHide: setHidden })}
      hasZoom={itemKind[run.task] !== 'restored' && !(item?.image && item.heat)}
      told={(shown) => <Told item={shown} run={run} />}
    >
      {(shown, view) => <Pictures item={shown} run={run} view={view} hidden={hidden} />}
    </PictureDialog>
  )
}

type ToggleProps = {
  item: Item | null
  run: Pick<LearnedRun, 'task'>
  hidden: Hidden
  onHide: (hidden: Hidden) => void
}

/** Outlines are shown and hidden one by one and together, boxes together. */
function useToggles({ item, run, hidden, onHide }: ToggleProps): LightboxToggle[] {
  const { t } = useTranslation('results')
  const kind = itemKind[run.task]
  if (!item?.overlay || (kind !== 'outlines' && kind !== 'boxes')) return []
  if (bareOf(item, run.task === 'volume_segmentation') === null) return []
  const isBare = hidden.truth && hidden.predicted
  const all = {
    key: 'm',
    name: t(kind === 'boxes' ? 'items.toggle.boxes' : 'items.toggle.masks'),
    isOn: !isBare,
    onToggle: () => onHide({ truth: !isBare, predicted: !isBare }),
  }
  if (kind === 'boxes') return [all]
  return [
    all,
    {
      key: 't',
      name: t('items.toggle.truth'),
      isOn: !hidden.truth,
      onToggle: () => onHide({ ...hidden, truth: !hidden.truth }),
    },
    {
      key: 'p',
      name: t('items.toggle.predicted'),
      isOn: !hidden.predicted,
      onToggle: () => onHide({ ...hidden, predicted: !hidden.predicted }),
    },
  ]
}

function Pictures({ item, run, view, hidden }: Props & { view: View; hidden: Hidden }) {
  const { t } = useTranslation(['runs', 'results'])
  const { name, image, overlay, heat, probabilities } = item
  const kind = itemKind[run.task]
  const alt = t('results:items.overlayAlt', { name, context: overlayContext(item, run.task) })
  if (overlay && kind === 'restored') {
    return (
      <div>
        <RestoredLarge item={item} task={run.task} alt={alt} />
        <p className={styles.caption}>{t('results:items.errorText')}</p>
      </div>
    )
  }
  if (image && heat) {
    const surest = run.classes[probabilities.indexOf(Math.max(...probabilities))] ?? ''
    return <HeatPicture image={image} heat={heat} name={name} className={surest} />
  }
  const boxes = item.size ? <BoxLegend classes={run.classes} isJudged /> : <OverlayLegend of="Box" />
  const caption = kind === 'boxes' ? boxes : <OutlineLegend run={run} items={[item]} isJudged />
  const isVolume = run.task === 'volume_segmentation'
  const over = <BoxLabels item={item} classes={run.classes} />
  return (
    <PicturesBeside
      item={item}
      view={view}
      alt={alt}
      caption={caption}
      isVolume={isVolume}
      hidden={hidden}
      over={over}
    />
  )
}

function Told({ item, run }: Props) {
  switch (itemKind[run.task]) {
    case 'class':
    case 'labels':
      return (
        <div className={styles.guesses}>
          <ItemWords item={item} run={run} most={run.classes.length} />
        </div>
      )
    case 'boxes':
      return (
        <div className={styles.guesses}>
          <ItemWords item={item} run={run} most={0} />
        </div>
      )
    case 'outlines':
      return <Overlaps item={item} run={run} />
    case 'restored':
      return <Figures item={item} run={run} />
  }
}

/** Dice of each structure in this picture. */
function Overlaps({ item, run }: Props) {
  const classNameOf = useClassName(run.task)
  return (
    <dl className={styles.values}>
      {Object.entries(item.values).map(([className, value]) => (
        <div key={className}>
          <dt>
            <MetricName name={mainMetric.segmentation} /> · {classNameOf(className)}
          </dt>
          <dd>{formatMetric(mainMetric.segmentation, value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How near this picture came to the true one, and how near it was before; first the figure that it is ordered by. */
function Figures({ item, run }: Props) {
  const values = { [mainMetric[run.task]]: item.score, ...item.values }
  return (
    <dl className={styles.values}>
      {orderedMetrics(values).map((name) => (
        <div key={name}>
          <dt>
            <MetricName name={name} />
          </dt>
          <dd>{formatMetric(name, values[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
