import { type PresetSize, presetSizes, type Template } from '@neuroloom/contract/network/templates'
import { Button, Drawer, Segmented, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useIsNarrow } from '../../ui/hooks/use-media.ts'
import { Loading } from '../../ui/loading.tsx'
import styles from './gallery.module.css'
import type { TemplateChoice } from './gallery-choice.ts'
import { addressOf, type Drawn, useDrawings } from './gallery-drawing.ts'
import { shortNumber } from './gallery-number.ts'

type Props = {
  template: Template | null
  onClose: () => void
  onChoose: (choice: TemplateChoice) => void
}

/** Everything known of one template, with the choice of its size. */
export function TemplateDetails({ template, onClose, onChoose }: Props) {
  const { t } = useTranslation(['gallery', 'templates'])
  const isNarrow = useIsNarrow()
  const title = template === null ? '' : t(`templates:template.${template.id}.title`)
  return (
    <Drawer
      open={template !== null}
      size={isNarrow ? '100%' : 680}
      title={title}
      onClose={onClose}
      destroyOnHidden
    >
      {template === null ? null : <Details template={template} onChoose={onChoose} />}
    </Drawer>
  )
}

function Details({ template, onChoose }: { template: Template; onChoose: Props['onChoose'] }) {
  const { t } = useTranslation(['gallery', 'templates'])
  const [size, setSize] = useState<PresetSize>('small')
  const { data, error, refetch } = useDrawings(template, true)
  const drawn = data?.find((one) => one.size === size)
  const text = (part: string) => t(`templates:template.${template.id}.${part}`)
  return (
    <div className={styles.details}>
      <p className={styles.lead}>{text('about')}</p>
      <div className={styles.choose}>
        <Segmented
          aria-label={t('sizes')}
          value={size}
          onChange={setSize}
          options={presetSizes.map((value) => ({ value, label: t(`size.${value}`) }))}
        />
        <Button type="primary" onClick={() => onChoose({ template: template.id, size })}>
          {t('start')}
        </Button>
      </div>
      {drawn ? <Figures template={template} drawn={drawn} /> : null}
      <h3>{t('architecture')}</h3>
      <p>{text('architecture')}</p>
      <h3>{t('features')}</h3>
      <ul className={styles.features}>
        {text('features')
          .split('\n')
          .map((point) => (
            <li key={point}>{point}</li>
          ))}
      </ul>
      <h3>{t('source')}</h3>
      <Source template={template} />
      <Differs template={template} />
      <h3>{t('structure')}</h3>
      {drawn ? <Structure drawn={drawn} name={text('title')} /> : null}
      {!data && !error ? <Loading count={3} /> : null}
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
    </div>
  )
}

function Figures({ template, drawn }: { template: Template; drawn: Drawn }) {
  const { t } = useTranslation('gallery')
  const { size, picture } = drawn
  const isPublished = size === 'full' && template.published !== null
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{t('parameters')}</dt>
        <dd>
          {formatNumber(picture.parameters ?? 0, 0)}
          {isPublished ? (
            <Tag color="cyan" className={styles.tag ?? ''}>
              {t('published')}
            </Tag>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{t('macs')}</dt>
        <dd>{shortNumber(picture.macs ?? 0)}</dd>
      </div>
      {template[size].size === null ? null : (
        <div>
          <dt>{t('designSize')}</dt>
          <dd>{template[size].size?.join(' × ')}</dd>
        </div>
      )}
    </dl>
  )
}

function Source({ template: { source } }: { template: Template }) {
  return (
    <p>
      {source.authors}: <cite>{source.title}</cite>, {source.year}.{' '}
      <a href={source.url} target="_blank" rel="noreferrer">
        {source.url.replace('https://', '')}
      </a>
    </p>
  )
}

function Differs({ template }: { template: Template }) {
  const { t } = useTranslation(['gallery', 'templates'])
  const text = t(`templates:template.${template.id}.differs`, { defaultValue: '' })
  if (text === '') return null
  return (
    <>
      <h3>{t('differs')}</h3>
      <p>{text}</p>
    </>
  )
}

function Structure({ drawn: { picture }, name }: { drawn: Drawn; name: string }) {
  const { t } = useTranslation('gallery')
  const { svg, width, height } = picture
  return (
    <div className={styles.structure}>
      <img src={addressOf(svg)} width={width} height={height} alt={t('pictureOf', { name })} />
    </div>
  )
}
